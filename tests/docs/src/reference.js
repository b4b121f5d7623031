/** The pages of docs/reference, made from the files of schema/. */
import { textOf } from './repository.js'

const GROUPS = [
  [
    'Server and store',
    ['host', 'port', 'data', 'root-password', 'demo', 'store', 'mongo', 'zookeeper', 'group'],
  ],
  ['HTTP and authentication', ['http', 'auth', 'rate-limit']],
  ['Caching', ['caching']],
  ['Queries and live queries', ['query', 'live', 'invalidb']],
  ['Transactions', ['transaction']],
]

/** Returns the generated pages, by their paths from the root. */
export function pages() {
  return new Map([
    ['docs/reference/configuration.md', configuration(JSON.parse(textOf('schema/config.json')))],
    ['docs/reference/errors.md', errors(JSON.parse(textOf('schema/errors.json')))],
  ])
}

function configuration(keys) {
  const groups = GROUPS.map(([title, prefixes]) => section(title, keys.filter(isIn(prefixes))))
  const rest = keys.filter((key) => !GROUPS.some(([, prefixes]) => isIn(prefixes)(key)))
  if (rest.length > 0) groups.push(section('Others', rest))
  return `# Configuration

This page lists every setting of a server. It is generated from \`schema/config.json\`.

A setting is a flag of \`./orestes start\`, such as \`--port 8080\` or \`--port=8080\`. It is also an
environment variable: \`--root-password\` is \`ORESTES_ROOT_PASSWORD\`, and \`--http.max-body\` is
\`ORESTES_HTTP_MAX_BODY\`. A flag wins over a variable. An unknown flag or a value that does not fit
ends the start with exit code 2.

A *duration* is a number with \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`. A *size* is a number with \`kb\`, \`mb\` or
\`gb\`, or a number of bytes.

${groups.join('\n')}`
}

function isIn(prefixes) {
  return ({ key }) => prefixes.includes(key.split('.')[0])
}

function section(title, keys) {
  const rows = keys.map(
    (key) =>
      `| \`--${key.key}\` | ${cell(key.type)} | ${defaultOf(key)} | ${cell(key.description)}${
        key.secret ? ' Secret: no report shows it.' : ''
      } |`,
  )
  return ['## ' + title, '', '| flag | value | default | meaning |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
}

function defaultOf({ default: value }) {
  return value === '' ? 'none' : `\`${cell(value)}\``
}

function errors(list) {
  const rows = list.map(
    (error) =>
      `| ${error.status} | \`${error.code}\` | \`${error.className}\` | ${cell(error.description)} |`,
  )
  return `# Errors

This page lists every error of the HTTP interface. It is generated from \`schema/errors.json\`.

The body of an error is JSON. \`status\` is the HTTP status, \`className\` names the error, \`reason\` is
its short text, and \`message\` explains this very request. Events of live queries and messages of
WebSockets have the same errors.

Repeat a request after 429, and a read after 503, when the time in \`Retry-After\` has passed. A
write that is answered with 500 or 503 may be stored, so
[read the object](../guide/objects.md#503-on-a-write) first. After any other error the request has
to change, such as its filter after 468. There is no 403 for objects: a missing right is 466, and an
object that the caller may not read is 404.

| status | code | \`className\` | meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}
