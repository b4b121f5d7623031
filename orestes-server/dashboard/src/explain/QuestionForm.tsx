import { useState, type FormEvent } from 'react'
import { useAdmin } from '../app/session'
import { bucketsOf } from '../server/schema'
import type { Question } from './explanation'
import { OPERATIONS, operationOf } from './operations'

interface QuestionFormProps {
  readonly beginning: Question
  readonly ask: (question: Question) => void
}

/** Who wants to do what with which object. */
export function QuestionForm({ beginning, ask }: QuestionFormProps) {
  const { classes } = useAdmin()
  const [question, setQuestion] = useState(beginning)
  const [isUser, setUser] = useState(beginning.username !== '')
  const change = (next: Partial<Question>) => setQuestion({ ...question, ...next })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask({ ...question, username: isUser ? question.username.trim() : '', key: question.key.trim() })
  }
  const { username, operation, bucket, key } = question
  return (
    <form className="fields" aria-label="Question" onSubmit={submit}>
      <div className="line">
        <label className="stack">
          Caller
          <select
            value={isUser ? 'user' : 'anonymous'}
            onChange={(event) => setUser(event.target.value === 'user')}
          >
            <option value="anonymous">not logged in</option>
            <option value="user">a user</option>
          </select>
        </label>
        {isUser && (
          <label className="stack">
            Name of the user
            <input
              type="text"
              value={username}
              onChange={(event) => change({ username: event.target.value })}
              autoComplete="off"
              spellCheck={false}
              required
            />
          </label>
        )}
        <label className="stack">
          Wants to
          <select value={operation} onChange={(event) => change({ operation: event.target.value })}>
            {OPERATIONS.map(({ title, all }) => (
              <optgroup key={title} label={title}>
                {all.map(({ name, words }) => (
                  <option key={name} value={name}>
                    {words}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
      </div>
      <div className="line">
        <label className="stack">
          Class
          <select value={bucket} onChange={(event) => change({ bucket: event.target.value })}>
            {bucketsOf(classes).map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {operationOf(operation).hasObject && (
          <label className="stack">
            <span>
              Key of the object <span className="quiet">empty: the class alone</span>
            </span>
            <input
              type="text"
              value={key}
              onChange={(event) => change({ key: event.target.value })}
              spellCheck={false}
            />
          </label>
        )}
      </div>
      {operation === 'subscribe' && <LiveQueryFields question={question} change={change} />}
      <footer>
        <button className="button primary">Explain</button>
      </footer>
    </form>
  )
}

interface LiveQueryFieldsProps {
  readonly question: Question
  readonly change: (next: Partial<Question>) => void
}

/** The live query as an application asks it. */
function LiveQueryFields({ question, change }: LiveQueryFieldsProps) {
  const fields = [
    ['filter', 'Filter', '{"done": false}'],
    ['sort', 'Order', '{"priority": -1}'],
    ['start', 'First object of the window', '0'],
    ['count', 'Objects in the window', 'all'],
  ] as const
  return (
    <div className="line">
      {fields.map(([name, title, example]) => (
        <label className="stack" key={name}>
          {title}
          <input
            type="text"
            value={question[name]}
            placeholder={example}
            spellCheck={false}
            onChange={(event) => change({ [name]: event.target.value })}
          />
        </label>
      ))}
    </div>
  )
}
