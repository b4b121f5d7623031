import type { ApiRequest } from './request'

/** Ways to do the same thing, to be copied and run. */
export interface Snippets {
  readonly SDK: string
  readonly curl: string
  readonly fetch: string
}

/** How to get what the other snippets take: `$TOKEN`, `token`, and `db`. */
export function preparations(origin: string): Snippets {
  const url = `${origin}/v1/db/User/login`
  const body = '{ "username": "root", "password": "password" }'
  return {
    SDK: [
      `import { connect } from '@orestes/sdk'`,
      ``,
      `const db = await connect('${origin}')`,
      `await db.users.login('root', 'password')`,
    ].join('\n'),
    curl: [
      `TOKEN=$(curl -s -D - -o /dev/null '${url}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${body}' |`,
      `  tr -d '\\r' | awk 'tolower($1) == "baqend-authorization-token:" { print $2 }')`,
    ].join('\n'),
    fetch: [
      `const login = await fetch('${url}', {`,
      `  method: 'POST',`,
      `  headers: { 'Content-Type': 'application/json' },`,
      `  body: JSON.stringify(${body}),`,
      `})`,
      `const token = login.headers.get('baqend-authorization-token')`,
    ].join('\n'),
  }
}

/** A request for a shell with `$TOKEN`. */
export function curlOf(
  { method, path, headers, body }: ApiRequest,
  origin: string,
  isEndless: boolean,
): string {
  const lines = [
    `curl ${isEndless ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}/v1${path}`)}`,
    `  -H "Authorization: BAT $TOKEN"`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quoted(body)}`]),
  ]
  return lines.join(' \\\n')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A request for a page or a script with `token`. */
export function fetchOf({ method, path, headers, body }: ApiRequest, origin: string): string {
  const named = Object.entries(headers).map(([name, value]) => `${literal(name)}: ${literal(value)}`)
  const lines = [
    `const response = await fetch(${literal(`${origin}/v1${path}`)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${['Authorization: `BAT ${token}`', ...named].join(', ')} },`,
    ...(body === undefined ? [] : [`  body: ${indented(bodyLiteral(body))},`]),
    `})`,
  ]
  return lines.join('\n')
}

/** The text of a body, as an expression: of the value that it is the JSON of, where it is that. */
function bodyLiteral(body: string): string {
  return valueIn(body) === undefined ? literal(body) : `JSON.stringify(${body})`
}

/** Lines of a value within something that is indented once. */
export const indented = (code: string) => code.replaceAll('\n', '\n  ')

/** A text as an expression. */
export function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The value that a text is the JSON of; undefined if it is none. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
