import { hrefOf } from '../app/route'
import type { Answer, Events, Question, Step } from './explanation'
import { decidingStep, eventSentences, sentenceOf, toldSentence, verdictOf } from './sentences'

interface AnswerViewProps {
  readonly question: Question
  readonly answer: Answer
}

/** The answer, the rule that decides, and all that was looked at on the way. */
export function AnswerView({ question, answer }: AnswerViewProps) {
  const { explanation, names } = answer
  const decider = decidingStep(answer)
  const roles = explanation.identities.map((id) => names.get(id) ?? id)
  return (
    <>
      <section className="card" aria-labelledby="answer">
        <h2 id="answer">Answer</h2>
        <p role="status">
          <strong>{verdictOf(question, answer)}</strong>
        </p>
        <p>{decider === undefined ? 'Nothing on the way refuses it.' : sentenceOf(decider, names)}</p>
        {decider?.permission !== undefined && decider.level !== 'endpoint' && (
          <WhereToChange question={question} level={decider.level} />
        )}
        <p className="quiet">
          {roles.length === 0
            ? 'The caller has no identity that a permission could name.'
            : `The caller counts as ${roles.join(', ')}.`}
        </p>
      </section>
      <section className="card" aria-labelledby="steps">
        <h2 id="steps">What is looked at, in this order</h2>
        <Steps steps={explanation.steps} decider={decider} names={names} />
      </section>
      {explanation.event && <EventsView events={explanation.event} />}
    </>
  )
}

interface WhereToChangeProps {
  readonly question: Question
  readonly level: Step['level']
}

function WhereToChange({ question: { bucket, key }, level }: WhereToChangeProps) {
  return (
    <p>
      {level === 'class' ? (
        <a href={hrefOf('schema', bucket)}>Permissions of the class {bucket}</a>
      ) : (
        <a href={hrefOf('data', bucket, key)}>Permissions in the object {key}, as acl</a>
      )}
    </p>
  )
}

interface StepsProps {
  readonly steps: readonly Step[]
  readonly decider: Step | undefined
  readonly names: ReadonlyMap<string, string>
}

function Steps({ steps, decider, names }: StepsProps) {
  return (
    <ol className="rows">
      {steps.map((step, i) => (
        <li key={i}>
          <span>{sentenceOf(step, names)}</span>
          {step === decider && <span className="tag">decides</span>}
        </li>
      ))}
    </ol>
  )
}

function EventsView({ events }: { readonly events: Events }) {
  const { told, unknown } = events
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Events of the live query</h2>
      {eventSentences(events).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {told.length > 0 && (
        <>
          <p>What was told of the object:</p>
          <ol>
            {told.map((event, i) => (
              <li key={i}>{toldSentence(event)}</li>
            ))}
          </ol>
        </>
      )}
      {unknown.length > 0 && (
        <>
          <p>What cannot be known:</p>
          <ul>
            {unknown.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
