import { OutOfDateError, type BulkResult, type Client, type Stored } from '@orestes/sdk'
import { messageOf } from '../server/messages'
import { BATCH } from './deletion'

/** A MongoDB filter. */
export type MatchFilter = { readonly [member: string]: unknown }

/** What matches a filter at one moment. */
export interface Matching {
  readonly count: number
  /** When the last of them was written, by the server's clock; null if none was, or nobody knows. */
  readonly until: string | null
}

/** How far a deletion has come. */
export interface MatchDeletion {
  readonly gone: number
  /** Objects that others have changed or deleted since they were counted, as far as the deletion met them. */
  readonly changed: number
  /** Objects that the server does not delete. */
  readonly refused: number
  /** Why it does not, of the first of them; empty if there are none. */
  readonly reason: string
}

interface DeletionOptions {
  readonly client: Pick<Client, 'request' | 'bucket'>
  readonly bucket: string
  readonly filter: MatchFilter
  /** What was counted: nothing else is deleted. */
  readonly matching: Matching
  readonly signal: AbortSignal
  readonly tell: (deletion: MatchDeletion) => void
}

/** Counts what matches, and finds out from when on something is new to it. */
export async function matchingNow(
  client: Pick<Client, 'request'>,
  bucket: string,
  filter: MatchFilter,
  signal: AbortSignal,
): Promise<Matching> {
  const aggregate = JSON.stringify({ _id: null, count: { $sum: 1 }, until: { $max: '$updatedAt' } })
  const path = `${queryPath(bucket)}?${new URLSearchParams({ aggregate })}`
  const rows = (await client.request(path, { method: 'POST', body: filter, signal })) as readonly Matching[]
  return rows[0] ?? { count: 0, until: null }
}

/**
Deletes what was counted, some objects at a time: each in the version in which it is met, and only if nobody has written it
since it was counted. So what is added or changed meanwhile stays, and there is an end however fast others write. What is gone
stays gone when it is stopped, or fails.
*/
export async function deleteMatching(options: DeletionOptions): Promise<MatchDeletion> {
  const { client, bucket, filter, matching, signal, tell } = options
  const counted = { $and: [filter, unchangedSince(matching.until)] }
  let deletion: MatchDeletion = { gone: 0, changed: 0, refused: 0, reason: '' }
  let next = await versionsOf(client, bucket, counted, signal)
  while (next.length > 0) {
    const operations = next.map(([id, version]) => ({ delete: id, ifMatch: version }))
    deletion = counting(deletion, await client.bucket(bucket).bulk(operations, { signal }))
    tell(deletion)
    const [last] = next.at(-1) ?? []
    next = await versionsOf(client, bucket, { $and: [counted, { id: { $gt: last } }] }, signal)
  }
  return deletion
}

function counting(before: MatchDeletion, results: readonly BulkResult[]): MatchDeletion {
  const errors = results.flatMap(({ error }) => error ?? [])
  const refusals = errors.filter((error) => !(error instanceof OutOfDateError))
  return {
    gone: before.gone + results.length - errors.length,
    changed: before.changed + errors.length - refusals.length,
    refused: before.refused + refusals.length,
    reason: before.reason || (refusals[0] === undefined ? '' : messageOf(refusals[0])),
  }
}

/** Objects that other programs have stored may have no time. */
function unchangedSince(until: string | null): MatchFilter {
  return { updatedAt: until === null ? null : { $not: { $gt: { $date: until } } } }
}

type Version = readonly [id: string, version: number]

/** Longer URLs are refused on the way by some. */
const LONGEST_URL = 2000

/** Ids and versions of the next objects, in the order of ids; servers may give fewer than are asked for. */
async function versionsOf(
  client: Pick<Client, 'request'>,
  bucket: string,
  filter: MatchFilter,
  signal: AbortSignal,
): Promise<readonly Version[]> {
  const order = { sort: '{"id":1}', count: `${BATCH}` }
  const q = JSON.stringify(filter)
  const url = `${queryPath(bucket)}?${new URLSearchParams({ ...order, eager: 'false', q })}`
  if (url.length <= LONGEST_URL) {
    const headers = { 'Cache-Control': 'no-cache' }
    const found = (await client.request(url, { headers, signal })) as readonly { [id: string]: number }[]
    return found.flatMap((each): Version[] => Object.entries(each))
  }
  // with the filter as body there are whole objects only
  const path = `${queryPath(bucket)}?${new URLSearchParams(order)}`
  const objects = await client.request(path, { method: 'POST', body: filter, signal })
  return (objects as readonly Stored<object>[]).map(({ id, version }) => [id, version])
}

function queryPath(bucket: string): string {
  return `/db/${encodeURIComponent(bucket)}/query`
}
