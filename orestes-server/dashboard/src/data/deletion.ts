import { OutOfDateError, type Bucket } from '@orestes/sdk'
import { messageOf } from '../server/messages'
import type { Versions } from './selection'

/** As many as one request takes. */
export const BATCH = 1000

type Deletable = Pick<Bucket<{ [field: string]: unknown }>, 'bulk'>

/** What became of a deletion, as far as it got. */
export interface Deletion {
  /** Ids of what is gone. */
  readonly gone: readonly string[]
  /** Ids of what somebody changed or deleted after it was selected, which stays as it is. */
  readonly changed: readonly string[]
  /** Why others are left; undefined if none are. */
  readonly problem: string | undefined
}

/** Deletes objects in the versions in which they were selected; until it is stopped, or a request fails. */
export async function deleteAll(
  bucket: Deletable,
  objects: Versions,
  signal: AbortSignal,
): Promise<Deletion> {
  const gone: string[] = []
  const changed: string[] = []
  let reason: unknown
  const all = [...objects]
  for (let i = 0; i < all.length && !signal.aborted; i += BATCH) {
    const batch = all.slice(i, i + BATCH)
    try {
      const operations = batch.map(([id, version]) => ({ delete: id, ifMatch: version }))
      const results = await bucket.bulk(operations, { signal })
      batch.forEach(([id], j) => {
        const error = results[j]?.error
        if (error === undefined) gone.push(id)
        else if (error instanceof OutOfDateError) changed.push(id)
        else reason ??= error
      })
    } catch (error) {
      reason = error
      break
    }
  }
  const count = all.length - gone.length
  return { gone, changed, problem: count === 0 ? undefined : problemOf(count, changed.length, reason) }
}

function problemOf(left: number, changed: number, reason: unknown): string {
  const what = left === 1 ? '1 object is left' : `${left} objects are left`
  const stale =
    changed === 0 ? '' : ` – ${changed} of them changed after you had selected them: look at them once more.`
  return reason === undefined ? `${what}${stale}` : `${what}: ${messageOf(reason)}${stale}`
}
