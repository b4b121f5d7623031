package io.invalidb.query.regex;

import io.invalidb.query.StepBudget;

/**
 * A character sequence that charges a step budget for each character that RE2/J reads. RE2/J (1.8)
 * reads characters one by one. Where its automaton runs, it reads each new character and then the
 * previous one again. Where it only searches for the literal prefix of a pattern, it goes back at
 * most by the length of a partial match. Used for one search.
 */
final class MeteredText implements CharSequence {

    private final String text;
    private final long stepsPerCharacter;
    private final StepBudget stepBudget;
    private int furthest = -1;

    /** @param stepsPerCharacter maximum steps of the automaton for each character */
    MeteredText(String text, long stepsPerCharacter, StepBudget stepBudget) {
        this.text = text;
        this.stepsPerCharacter = stepsPerCharacter;
        this.stepBudget = stepBudget;
    }

    @Override
    public char charAt(int index) {
        if (index > furthest) {
            furthest = index;
        } else if (index < furthest) {
            stepBudget.spend(index == furthest - 1 ? stepsPerCharacter : 1);
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
