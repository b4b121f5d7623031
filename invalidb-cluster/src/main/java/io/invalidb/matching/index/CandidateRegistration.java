package io.invalidb.matching.index;

import java.util.List;

/** The registration of a candidate filter in an index, by which it can be removed. */
interface CandidateRegistration {

    /** Removes the candidate. */
    void remove();

    /** Returns the filter by which the index finds a registered one: itself, or its group. */
    default IndexedFilter candidateFor(IndexedFilter registered) {
        return registered;
    }

    /** A registration that runs a callback after its candidate is removed. */
    record NotifyingRegistration(CandidateRegistration registration, Runnable onRemoved)
            implements CandidateRegistration {

        @Override
        public void remove() {
            registration.remove();
            onRemoved.run();
        }
    }

    /**
     * Several registrations of one candidate, removed together; possibly none, for a filter that
     * matches nothing.
     */
    record CompositeRegistration(List<CandidateRegistration> registrations) implements CandidateRegistration {

        @Override
        public void remove() {
            registrations.forEach(CandidateRegistration::remove);
        }

        static CandidateRegistration of(List<CandidateRegistration> registrations) {
            return registrations.size() == 1
                    ? registrations.get(0)
                    : new CompositeRegistration(List.copyOf(registrations));
        }
    }
}
