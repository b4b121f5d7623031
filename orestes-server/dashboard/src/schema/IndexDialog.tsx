import { curlOf } from '../api/snippets'
import { useAdmin } from '../app/session'
import type { IndexInfo } from '../server/schema'
import { Confirm } from '../ui/Confirm'
import { Snippet } from '../ui/Snippet'
import { Review } from './ChangeDialog'
import { askForIndex, indexDifferences, indexEffects, indexRequest, titleOf, type IndexWork } from './indexes'

interface IndexDialogProps {
  readonly bucket: string
  readonly index: IndexInfo
  readonly work: IndexWork
  readonly close: () => void
  readonly done: () => void
}

const WORDS: { readonly [work in IndexWork]: string } = { add: 'Add', drop: 'Drop' }

/** Asks before an index is made that writes or stored values may not fulfil, or one is dropped. */
export function IndexDialog({ bucket, index, work, close, done }: IndexDialogProps) {
  const { client } = useAdmin()
  const confirm = async () => {
    await askForIndex(client, bucket, index, work)
    done()
    close()
  }
  return (
    <Confirm
      title={`${WORDS[work]} the index on ${titleOf(index)}?`}
      action={work === 'add' ? 'Add unique index' : 'Drop index'}
      confirm={confirm}
      close={close}
    >
      <Review differences={indexDifferences(index, work)} effects={indexEffects(index, work)}>
        <details>
          <summary>For other servers</summary>
          <p className="quiet">
            Migration files are about classes and fields; ask each server for its indexes.
          </p>
          <Snippet name="curl" code={curlOf(indexRequest(bucket, index, work), location.origin, false)} />
        </details>
      </Review>
    </Confirm>
  )
}
