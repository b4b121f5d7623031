import { useState } from 'react'
import { go, hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { useTask } from '../app/useTask'
import { addFields } from '../server/schema'
import { Dialog } from '../ui/Dialog'
import { PageHead } from '../ui/PageHead'
import { Problem } from '../ui/Problem'
import { SAMPLES, type Sample } from './samples'

/** What a new server shows: what a class is, and a way to the first one in two clicks. */
export function FirstClass() {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <section className="empty">
      <PageHead title="Your first class" />
      <p>
        Objects live in <strong>classes</strong>: a class has a name and typed fields, as a table has columns.
        Applications read and write its objects with the SDK or over HTTP, and follow them live.
      </p>
      <div className="actions">
        <button type="button" className="button primary" onClick={() => setChoosing(true)}>
          Start with sample data
        </button>
        <a className="button" href={hrefOf('schema')}>
          Make a class of your own
        </a>
      </div>
      {isChoosing && <ChooseSample close={() => setChoosing(false)} />}
    </section>
  )
}

function ChooseSample({ close }: { readonly close: () => void }) {
  const { client, reloadClasses } = useAdmin()
  const create = useTask(async ({ bucket, fields, objects }: Sample) => {
    await addFields(client, bucket, fields)
    const results = await client.bucket(bucket).bulk(objects.map((insert) => ({ insert })))
    const failed = results.find(({ error }) => error !== undefined)
    if (failed?.error) throw failed.error
    go(hrefOf('data', bucket))
    await reloadClasses()
  })
  return (
    <Dialog title="Start with sample data" close={close}>
      <p className="quiet">
        Everybody may read and write objects of a new class, until an application narrows its permissions.
      </p>
      <ul className="samples">
        {SAMPLES.map((sample) => (
          <li key={sample.bucket}>
            <button
              type="button"
              className="button"
              disabled={create.isBusy}
              onClick={() => void create.run(sample)}
            >
              <strong>{sample.title}</strong>
              <span className="quiet">
                {sample.about}; {sample.objects.length} objects of the class {sample.bucket}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Problem text={create.problem} />
    </Dialog>
  )
}
