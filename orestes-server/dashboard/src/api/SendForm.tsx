import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { Confirm } from '../ui/Confirm'
import { Problem } from '../ui/Problem'
import { AnswerView } from './AnswerView'
import type { ApiRequest } from './request'
import { isAskedFirst, isEndless, send, type Answer } from './sending'
import type { Operation } from './spec'

interface SendFormProps {
  readonly operation: Operation
  readonly request: ApiRequest
  /** What the request is made of. */
  readonly children: ReactNode
}

/** Sends a request as the admin who is logged in, and shows what comes back. */
export function SendForm({ operation, request, children }: SendFormProps) {
  const { client } = useAdmin()
  const [answer, setAnswer] = useState<Answer>()
  const [isAsking, setAsking] = useState(false)
  const closed = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    closed.current = controller
    return () => controller.abort()
  }, [])
  const task = useTask(async (signal: AbortSignal) => {
    setAnswer(undefined)
    setAnswer(await send(client, request, signal))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAskedFirst(operation)) setAsking(true)
    else void task.run(closed.current!.signal)
  }
  return (
    <>
      <form className="stack" aria-label={`Request ${operation.id}`} onSubmit={submit}>
        {children}
        {isEndless(operation) ? (
          <p className="quiet">The answer goes on while somebody listens, so it is not shown here.</p>
        ) : (
          <button className="button primary" disabled={task.isBusy}>
            {task.isBusy ? 'Sending …' : 'Send'}
          </button>
        )}
      </form>
      <Problem text={task.problem} />
      {answer && <AnswerView answer={answer} />}
      {isAsking && (
        <Confirm
          title={`Send ${operation.id}?`}
          action={`Send ${request.method}`}
          close={() => setAsking(false)}
          confirm={async () => {
            setAsking(false)
            await task.run(closed.current!.signal)
          }}
        >
          <p>
            <code>
              {request.method} {request.path}
            </code>
          </p>
          <p>{operation.summary}. This changes what is stored on this server.</p>
        </Confirm>
      )}
    </>
  )
}
