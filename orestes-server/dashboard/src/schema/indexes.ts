import type { Client, FieldDescriptor } from '@orestes/sdk'
import type { ApiRequest } from '../api/request'
import type { IndexInfo } from '../server/schema'
import type { Difference } from './changes'

/** A field of an index as it was chosen; the first there is where none was. */
export interface ChosenKey {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** The index on all words of an object, as servers list it. */
export const TEXT_INDEX: IndexInfo = { keys: [{ '$**': 'text' }] }

/** The index that was chosen. Places have no order, and a field is in it once. */
export function indexOf(
  chosen: readonly ChosenKey[],
  unique: boolean,
  fields: readonly FieldDescriptor[],
): IndexInfo {
  const named = chosen.map(({ field, direction }) => [field || (fields[0]?.name ?? ''), direction] as const)
  const kinds = new Map<string, string>()
  named.forEach(([field, direction]) => {
    if (!kinds.has(field)) kinds.set(field, isPlace(field, fields) ? 'geo' : direction)
  })
  return { keys: [...kinds].map(([field, kind]) => ({ [field]: kind })), unique }
}

function isPlace(field: string, fields: readonly FieldDescriptor[]): boolean {
  return fields.some(({ name, type }) => name === field && type === '/db/GeoPoint')
}

/** Whether an index is the one on all words. */
export function isText({ keys }: IndexInfo): boolean {
  return keys.some((key) => Object.values(key).includes('text'))
}

/** Such as `pages asc, id asc`. */
export function titleOf({ keys }: IndexInfo): string {
  return keys
    .flatMap((key) => Object.entries(key))
    .map(([path, direction]) => `${path} ${direction}`)
    .join(', ')
}

/** The index on ids belongs to the class. */
export function isPrimary({ keys }: IndexInfo): boolean {
  return keys.length === 1 && keys[0] !== undefined && 'id' in keys[0]
}

/** What is done with an index. */
export type IndexWork = 'add' | 'drop'

export function indexDifferences(index: IndexInfo, work: IndexWork): Difference[] {
  const with_ = [titleOf(index), ...(index.unique === true ? ['unique'] : [])].join(', ')
  const [before, after] = work === 'add' ? ['none', with_] : [with_, 'none']
  return [{ what: 'index', before, after }]
}

/** What making or dropping an index does to those who use the class. */
export function indexEffects(index: IndexInfo, work: IndexWork): string[] {
  if (work === 'drop') {
    return [
      'Queries that use it become slow, and building it again takes its time.',
      ...(isText(index) ? ['Searches for words read the whole class from then on.'] : []),
      ...(index.unique === true ? ['Values may be there twice from then on.'] : []),
    ]
  }
  return [
    'All stored objects are looked at first. If two have the same values, it is not made.',
    'Writes of values that another object has are refused (409) from then on.',
  ]
}

/** How a server is asked to make or to drop an index, as it is listed. */
export function indexRequest(bucket: string, index: IndexInfo, work: IndexWork): ApiRequest {
  const path = `/index/${encodeURIComponent(bucket)}`
  if (isText(index)) {
    return { path: `${path}/text`, method: work === 'add' ? 'PUT' : 'DELETE', headers: {}, body: undefined }
  }
  const { keys, unique } = index
  const body = JSON.stringify({ keys, unique, ...(work === 'drop' && { drop: true }) })
  return { path, method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
}

/** Declares or drops an index; a large class is indexed in the background. */
export async function askForIndex(
  client: Client,
  bucket: string,
  index: IndexInfo,
  work: IndexWork,
): Promise<void> {
  const { path, method, headers, body } = indexRequest(bucket, index, work)
  await client.response(path, { method, headers, ...(body !== undefined && { body }) })
}
