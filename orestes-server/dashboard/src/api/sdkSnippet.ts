import type { ApiRequest, Values } from './request'
import { indented, literal, valueIn } from './snippets'
import type { Operation } from './spec'

/** A method of the SDK. */
interface Call {
  /** Parameters that it has a place for; a request with others is written out. */
  readonly takes: readonly string[]
  /** Undefined if what was given is nothing that it could be called with. */
  readonly code: (given: Given) => string | undefined
}

interface Given {
  readonly values: Values
  readonly body: string
  /** The objects of the class. */
  readonly bucket: string
  readonly origin: string
}

const PAGE = ['bucket', 'q', 'sort', 'start', 'count', 'aggregate']
const OBJECT = ['bucket', 'oid']

const CALLS: { readonly [operation: string]: Call } = {
  insert: { takes: OBJECT, code: ({ bucket, body }) => `const object = await ${bucket}.insert(${body})` },
  load: {
    takes: OBJECT,
    code: ({ bucket, values }) => `const { data } = await ${bucket}.load(${key(values)})`,
  },
  replace: { takes: OBJECT, code: ({ bucket, body }) => `const object = await ${bucket}.replace(${body})` },
  update: {
    takes: OBJECT,
    code: ({ bucket, values, body }) => `const object = await ${bucket}.update(${key(values)}, ${body})`,
  },
  updateField: { takes: [...OBJECT, 'field'], code: fieldUpdate },
  delete: { takes: OBJECT, code: ({ bucket, values }) => `await ${bucket}.delete(${key(values)})` },
  bulk: { takes: OBJECT, code: bulk },
  query: { takes: PAGE, code: (given) => query(given, given.values['q'] ?? '') },
  queryByBody: { takes: PAGE, code: (given) => query(given, given.body) },
  count: { takes: ['bucket', 'q'], code: (given) => count(given, given.values['q'] ?? '') },
  countByBody: { takes: ['bucket'], code: (given) => count(given, given.body) },
  events: { takes: PAGE, code: live },
  socket: {
    takes: [],
    code: () =>
      `// live queries open the socket themselves\n` +
      `const stop = db.bucket('User').find().live().subscribe(console.log)`,
  },
  connect: { takes: [], code: ({ origin }) => `const db = await connect('${origin}')` },
  login: { takes: [], code: ({ body }) => withTexts(body, ['username', 'password'], 'login') },
  changePassword: {
    takes: [],
    code: ({ body }) => withTexts(body, ['username', 'password', 'newPassword'], 'changePassword'),
  },
  register: { takes: [], code: register },
  me: { takes: [], code: () => `const me = await db.users.refresh()` },
  logout: { takes: [], code: () => `db.users.logout()` },
  beginTransaction: { takes: [], code: () => transaction('// reads and writes of tx come here') },
  commitTransaction: { takes: ['tid'], code: commit },
}

/** How the SDK asks for an operation: by a method where it has one, else by writing the request out. Takes `db`. */
export function sdkOf(operation: Operation, request: ApiRequest, values: Values, origin: string): string {
  const call = CALLS[operation.id]
  const given = Object.keys(values).filter((name) => values[name] !== '')
  const bucket = `db.bucket(${literal(values['bucket'] ?? '')})`
  const isTaken = call !== undefined && given.every((name) => call.takes.includes(name))
  const body = request.body ?? ''
  return (isTaken ? call.code({ values, body, bucket, origin }) : undefined) ?? writtenOut(request)
}

function writtenOut({ method, path, headers, body }: ApiRequest): string {
  const isJson = body !== undefined && valueIn(body) !== undefined
  const others = Object.entries(headers).filter(([name]) => !(isJson && name === 'Content-Type'))
  const named = others.map(([name, value]) => `${literal(name)}: ${literal(value)}`)
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(named.length === 0 ? [] : [`headers: { ${named.join(', ')} },`]),
    ...(body === undefined ? [] : [`body: ${indented(isJson ? body : literal(body))},`]),
  ]
  const options = members.length === 0 ? '' : `, {\n${members.map((each) => `  ${each}\n`).join('')}}`
  return `const response = await db.response(${literal(path)}${options})\nconsole.log(await response.text())`
}

const key = (values: Values) => literal(values['oid'] ?? '')

function fieldUpdate({ bucket, values, body }: Given): string | undefined {
  const operations = valueIn(body)
  if (typeof operations !== 'object' || operations === null) return undefined
  const named = Object.entries(operations).map(([operator, value]) => [
    operator,
    { [values['field'] ?? '']: value },
  ])
  return `const object = await ${bucket}.update(${key(values)}, ${json(Object.fromEntries(named))})`
}

function bulk({ bucket, body }: Given): string | undefined {
  const message = valueIn(body) as { readonly operations?: unknown } | undefined
  if (message?.operations === undefined) return undefined
  return `const results = await ${bucket}.bulk(${json(message.operations)})`
}

function query({ bucket, values }: Given, filter: string): string {
  const { sort = '', start = '', count: limit = '', aggregate = '' } = values
  const page = [
    ...(sort === '' ? [] : [`.sort(${sort})`]),
    ...(start === '' ? [] : [`.offset(${start})`]),
    ...(limit === '' ? [] : [`.limit(${limit})`]),
  ]
  const end = aggregate === '' ? '.list()' : `.aggregate(${aggregate})`
  return `const { data } = await ${bucket}.find(${filter})${page.join('')}${end}`
}

const count = ({ bucket }: Given, filter: string) =>
  `const { data } = await ${bucket}.find(${filter}).count()`

function live(given: Given): string {
  const found = query(given, given.values['q'] ?? '')
  const isAggregate = found.includes('.aggregate(')
  const watched = found.replace('const { data } = await', 'const stop =')
  return isAggregate
    ? watched.replace('.aggregate(', '.liveAggregate(') + '.subscribe(console.log)'
    : watched.replace(/\.list\(\)$/, '.live().subscribe(console.log)')
}

function withTexts(body: string, names: readonly string[], method: string): string | undefined {
  const message = valueIn(body) as { readonly [name: string]: unknown } | undefined
  const texts = names.map((name) => message?.[name])
  if (!texts.every((each) => typeof each === 'string')) return undefined
  return `const user = await db.users.${method}(${texts.map(literal).join(', ')})`
}

function register({ body }: Given): string | undefined {
  const message = valueIn(body) as { readonly user?: object; readonly password?: unknown } | undefined
  if (message?.user === undefined || typeof message.password !== 'string') return undefined
  const { user, password } = message
  return `const user = await db.users.register(${json(user)}, ${literal(password)}, { login: false })`
}

function commit({ body }: Given): string | undefined {
  const message = valueIn(body) as { readonly partialUpdates?: readonly Update[] } | undefined
  const others = Object.keys(message ?? {}).filter((name) => name !== 'partialUpdates' && name !== 'readSet')
  if (message?.partialUpdates === undefined || others.length > 0) return undefined
  const updates = message.partialUpdates.map(({ ref, operations }) => {
    const [bucket = '', oid = ''] = ref.split('/').slice(2).map(decodeURIComponent)
    return `tx.bucket(${literal(bucket)}).update(${literal(oid)}, ${json(operations)})`
  })
  return transaction(updates.join('\n'))
}

interface Update {
  readonly ref: string
  readonly operations: object
}

function transaction(inside: string): string {
  return `await db.transaction(async (tx) => {\n  ${indented(inside)}\n})`
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
