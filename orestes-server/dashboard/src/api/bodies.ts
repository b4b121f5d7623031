import { nameOf, type ClassInfo } from '../server/schema'
import { comparedField, sampleOf } from './sample'
import type { Operation } from './spec'

/** Whom requests about users are for. */
const CREDENTIALS = { username: 'ann', password: 'correct horse' }

/** What a body is made of. */
interface Parts {
  readonly bucket: string
  readonly classes: readonly ClassInfo[]
  readonly field: readonly [name: string, value: unknown] | undefined
}

const BODIES: { readonly [operation: string]: (parts: Parts) => unknown } = {
  setup: () => ({ token: 'the token in the set-up link', password: CREDENTIALS.password }),
  login: () => CREDENTIALS,
  register: ({ classes }) => ({
    user: { ...withoutId(sampleOf('User', classes)), username: CREDENTIALS.username },
    password: CREDENTIALS.password,
  }),
  changePassword: () => ({ ...CREDENTIALS, newPassword: 'battery staple' }),
  insert: sample,
  replace: sample,
  import: (parts) => [sample(parts)],
  bulk: (parts) => ({
    operations: [
      { insert: withoutId(sample(parts)) },
      { update: update(parts), id: sample(parts)['id'] },
      { delete: `${String(sample(parts)['id'])}-2` },
    ],
  }),
  update,
  updateField: ({ field }) => ({ $set: field?.[1] ?? null }),
  queryByBody: filter,
  countByBody: filter,
  mergeSchema: described,
  mergeClass: described,
  replaceClass: described,
  replaceSchema: ({ classes }) => classes.map(descriptor),
  createIndex: ({ field }) => ({ keys: [{ [field?.[0] ?? 'updatedAt']: 'asc' }] }),
  prepareQuery: (parts) => ({ bucket: parts.bucket, query: filter(parts) }),
  commitTransaction: (parts) => ({
    readSet: [],
    partialUpdates: [{ ref: sample(parts)['id'], operations: update(parts) }],
  }),
}

/** What may be sent along with an operation, about the sample object of a class; JSON, and empty where it knows nothing. */
export function firstBody({ id }: Operation, bucket: string, classes: readonly ClassInfo[]): string {
  const body = BODIES[id]?.({ bucket, classes, field: comparedField(bucket, classes) })
  return body === undefined ? '' : JSON.stringify(body, null, 2)
}

function sample({ bucket, classes }: Parts): { readonly [field: string]: unknown } {
  return sampleOf(bucket, classes)
}

function withoutId({ id: _, ...fields }: { readonly [field: string]: unknown }): object {
  return fields
}

function update({ field }: Parts): object {
  return field === undefined ? { $currentDate: { updatedAt: true } } : { $set: { [field[0]]: field[1] } }
}

function filter({ field }: Parts): object {
  return field === undefined ? {} : { [field[0]]: field[1] }
}

function described({ bucket, classes }: Parts): unknown {
  const found = classes.find(({ class: ref }) => nameOf(ref) === bucket)
  return found && descriptor(found)
}

/** A class as servers say it, without what this page adds. */
function descriptor({ name: _, ...described }: ClassInfo): object {
  return described
}
