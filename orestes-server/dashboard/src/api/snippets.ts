import type { Operation } from './spec'

/** Ways to ask for the same thing, to be copied. */
export interface Snippets {
  readonly curl: string
  readonly fetch: string
  /** Where the SDK has a method for it. */
  readonly sdk: string | undefined
}

/** What is done in the SDK by a method of a class's bucket. */
const BUCKET_CALLS: { readonly [operation: string]: string } = {
  insert: `await BUCKET.insert({ … })`,
  load: `const { data } = await BUCKET.load('key')`,
  replace: `await BUCKET.replace({ ...object, … })`,
  update: `await BUCKET.update('key', { $set: { … } })`,
  delete: `await BUCKET.delete('key')`,
  bulk: `await BUCKET.bulk([{ insert: { … } }, { delete: 'key' }])`,
  query: `const { data } = await BUCKET.find({ … }).limit(20).list()`,
  count: `const { data } = await BUCKET.find({ … }).count()`,
  events: `const stop = BUCKET.find({ … }).live().subscribe((list) => show(list))`,
}

/** What is done in the SDK otherwise. */
const CALLS: { readonly [operation: string]: string } = {
  login: `await db.users.login('name', 'password')`,
  register: `await db.users.register({ username: 'name' }, 'password')`,
  me: `const me = await db.users.refresh()`,
  connect: `const db = await connect('ORIGIN')`,
}

/**
How to ask for an operation.

@param origin of the server, such as `http://127.0.0.1:8080`
@param bucket the class to ask about
*/
export function snippetsOf(operation: Operation, origin: string, bucket: string): Snippets {
  const url = urlOf(operation, origin, bucket)
  return {
    curl: curlOf(operation, url),
    fetch: fetchOf(operation, url),
    sdk: (BUCKET_CALLS[operation.id] ?? CALLS[operation.id])
      ?.replace('BUCKET', `db.bucket('${bucket}')`)
      .replace('ORIGIN', origin),
  }
}

/** The address with the class filled in, other parts as placeholders, a filter, and the parameters that are required. */
function urlOf({ path, parameters }: Operation, origin: string, bucket: string): string {
  const filled = path.replace('{bucket}', encodeURIComponent(bucket)).replaceAll(/\{(\w+)\}/g, '<$1>')
  const named = parameters.filter(
    (each) => each.in === 'query' && (each.required === true || each.name === 'q'),
  )
  const search = named.map(({ name }) => `${name}=${name === 'q' ? '%7B%7D' : `<${name}>`}`).join('&')
  return `${origin}/v1${filled}${search && `?${search}`}`
}

function curlOf({ method, hasBody }: Operation, url: string): string {
  const lines = [
    method === 'GET' ? `curl '${url}'` : `curl -X ${method} '${url}'`,
    `  -H "Authorization: BAT $TOKEN"`,
    ...(hasBody ? [`  -H 'Content-Type: application/json'`, `  -d '{ … }'`] : []),
  ]
  return lines.join(' \\\n')
}

function fetchOf({ method, hasBody }: Operation, url: string): string {
  const content = hasBody ? `, 'Content-Type': 'application/json'` : ''
  const lines = [
    `const response = await fetch('${url}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { Authorization: \`BAT \${token}\`${content} },`,
    ...(hasBody ? [`  body: JSON.stringify({ … }),`] : []),
    `})`,
  ]
  return lines.join('\n')
}
