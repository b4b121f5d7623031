/** A value that JSON can express. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A pull query with the parameters of `GET /db/<bucket>/query`. */
export interface Query {
  /** MongoDB filter; the order of its conditions makes no difference. @default {} */
  readonly q?: { readonly [key: string]: Json }
  /** Paths to 1 or -1; their order counts. @default {} */
  readonly sort?: { readonly [path: string]: 1 | -1 }
  /** Maximum number of results; negative for no limit. @default -1 */
  readonly start?: number
  /** True if the result is a list of ids, not of objects. @default false */
  readonly count?: number
  /** Whether the result is a list of ids, not of objects. @default false */
  readonly ids?: boolean
}

/**
Returns the one key under which the server caches all spellings of a query, and which the Bloom
filter contains when its result changed. Behind the base path it is also a URL of that query.

@example
```ts
const result = await fetch('/v1' + queryKey('Todo', { q: { done: false }, sort: { text: 1 } }))
```
*/
export function queryKey(
  bucket: string,
  { q = {}, sort = {}, start = 0, count = -1, ids = false }: Query = {},
): string {
  const parameters = [
    ...(count >= 0 ? [`count=${count}`] : []),
    ...(ids ? ['ids=true'] : []),
    ...(Object.keys(q).length > 0 ? [`q=${encodeURIComponent(canonical(q))}`] : []),
    ...(Object.keys(sort).length > 0 ? [`sort=${encodeURIComponent(JSON.stringify(sort))}`] : []),
    ...(start > 0 ? [`start=${start}`] : []),
  ]
  return `/db/${bucket}/query?${parameters.join('&')}`
}

const JUNCTIONS = new Set(['$and', '$or', '$nor'])
const NESTING = new Set(['$not', '$elemMatch'])

/**
Returns JSON of a condition with sorted keys, which `JSON.stringify` of a sorted object would not
be: it puts keys like "9" first. The order of keys in a value is significant and is left unchanged.
*/
function canonical(condition: { readonly [key: string]: Json }): string {
  const entries = Object.entries(condition).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, operand]) => `${JSON.stringify(key)}:${canonicalOperand(key, operand)}`).join(',')}}`
}

function canonicalOperand(key: string, operand: Json): string {
  if (JUNCTIONS.has(key) && Array.isArray(operand)) {
    return `[${operand.map((branch: Json) => (isObject(branch) ? canonical(branch) : JSON.stringify(branch))).join(',')}]`
  }
  const isCondition = isObject(operand) && (NESTING.has(key) || hasOperators(key, operand))
  return isCondition ? canonical(operand) : JSON.stringify(operand)
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOperators(key: string, operand: { readonly [key: string]: Json }): boolean {
  return !key.startsWith('$') && Object.keys(operand)[0]?.startsWith('$') === true
}
