import { useCallback, useState } from 'react'
import type { Route } from '../app/route'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { bucketsOf } from '../server/schema'
import { Failure } from '../ui/Failure'
import { PageHead } from '../ui/PageHead'
import { AnswerView } from './AnswerView'
import { ask, type Question } from './explanation'
import { QuestionForm } from './QuestionForm'

/** Finds out which rule lets somebody do something, or keeps them from it. An address that names a class asks at once. */
export function ExplainPage({ route }: { readonly route: Route }) {
  return <Explanation route={route} key={JSON.stringify(route)} />
}

/** @param route what is asked about at first */
function Explanation({ route }: { readonly route: Route }) {
  const { classes } = useAdmin()
  const [first = 'User'] = bucketsOf(classes).map(({ name }) => name)
  const beginning: Question = {
    username: route.user,
    operation: 'load',
    bucket: route.bucket ?? first,
    key: route.key ?? '',
    filter: '',
    sort: '',
    start: '',
    count: '',
  }
  const [asked, setAsked] = useState(route.bucket === undefined ? undefined : beginning)
  return (
    <main tabIndex={-1} className="page">
      <PageHead title="Explain permissions" />
      <section className="card" aria-labelledby="question">
        <h2 id="question">May somebody do something, and why?</h2>
        <QuestionForm beginning={beginning} ask={setAsked} />
      </section>
      {asked === undefined ? (
        <p className="quiet">
          The server looks at its rules and its data as they are now, and says which rule decides. It changes
          nothing.
        </p>
      ) : (
        <Asked question={asked} />
      )}
    </main>
  )
}

function Asked({ question }: { readonly question: Question }) {
  const { client } = useAdmin()
  const load = useCallback(async (signal: AbortSignal) => ask(client, question, signal), [client, question])
  const { data, error, reload } = useLoaded(load)
  if (error !== undefined) {
    return <Failure error={error} retry={reload} />
  }
  return data === undefined ? <p role="status">Asking …</p> : <AnswerView question={question} answer={data} />
}
