import { applied } from '../src/optimistic/applying.js'
import { inOrder, matches } from '../src/optimistic/matching.js'
import type { Stored } from '../src/index.js'
import { NOW, stored } from './fakeServer.js'

type Any = Stored<{ [field: string]: unknown }>
type Body = { [member: string]: never }

interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const FILTER = { m: 64, h: 3, b: '' }
const TODO = {
  class: '/db/Todo',
  fields: Object.fromEntries(
    ['text', 'done', 'priority', 'tags', 'owner'].map((name) => [
      name,
      { name, type: name === 'text' ? '/db/String' : '/db/JsonObject' },
    ]),
  ),
}
const OUT_OF_DATE = {
  status: 412,
  body: { status: 412, reason: 'Object Out Of Date', message: 'others were faster' },
}
const NOT_FOUND = { status: 404, body: { status: 404, reason: 'Object Not Found', message: 'none' } }
const EXISTS = { status: 409, body: { status: 409, reason: 'Object Exists', message: 'taken' } }

/**
A server with a few objects that implements the requests of examples; only `fetch` and a socket.
*/
export function memoryServer(objects: readonly object[]) {
  const kept = new Map((objects as Any[]).map((each) => [each.id, each]))
  const keep = (object: object, id: string): Answer => {
    const version = (kept.get(id)?.version ?? 0) + 1
    const next = { ...stored(id, version), ...object, id, version } as Any
    kept.set(id, next)
    return { body: next, headers: { ETag: `"${version}"` } }
  }

  function found(bucket: string, q: string | null, sort: string | null = null): Any[] {
    const list = [...kept.values()].filter(({ id }) => id.startsWith(`/db/${bucket}/`))
    return list
      .filter((each) => matches(JSON.parse(q ?? '{}') as object, each) ?? true)
      .sort(inOrder(JSON.parse(sort ?? '{}') as object))
  }

  function ofObject(id: string, method: string, body: Body, expected: string | null): Answer {
    const object = kept.get(id)
    if (expected !== null && (!object || (expected !== '*' && expected !== `"${object.version}"`))) {
      return OUT_OF_DATE
    }
    switch (method) {
      case 'PUT':
        return keep(body, id)
      case 'POST':
        return object ? keep(applied(object, body), id) : NOT_FOUND
      case 'DELETE':
        kept.delete(id)
        return { status: 204 }
      default:
        return object ? { body: object, headers: { ETag: `"${object.version}"` } } : NOT_FOUND
    }
  }

  function ofBucket(bucket: string, body: Body): Answer {
    const id = (body['id'] as string | undefined) ?? `/db/${bucket}/${crypto.randomUUID()}`
    return kept.has(id) ? EXISTS : { ...keep(body, id), status: 201 }
  }

  function ofQuery(bucket: string, url: URL): Answer {
    const { searchParams: asked } = url
    const list = found(bucket, asked.get('q'), asked.get('sort'))
    if (url.pathname.endsWith('/count')) return { body: { count: list.length } }
    if (asked.has('aggregate')) return { body: [{ _id: false, n: list.length }] }
    const start = Number(asked.get('start') ?? 0)
    return { body: list.slice(start, start + Number(asked.get('count') ?? list.length)) }
  }

  function ofBulk({ operations }: { operations: readonly { insert?: object; delete?: string }[] }): Answer {
    operations.forEach((each) => each.delete && kept.delete(each.delete))
    return { body: { results: operations.map(() => ({ status: 200, id: '/db/Todo/x', version: 1 })) } }
  }

  function commit(body: {
    writeSet?: Any[]
    deleteSet?: object[]
    partialUpdates?: { ref: string }[]
  }): Answer {
    const writes = [...(body.writeSet ?? []), ...(body.partialUpdates ?? []).map(({ ref }) => ({ id: ref }))]
    return { body: writes.map(({ id }) => ({ [id]: (kept.get(id)?.version ?? 0) + 1 })) }
  }

  function answer(method: string, url: URL, body: Body, headers: Headers): Answer {
    const path = url.pathname.replace(/^\/v1/, '')
    const [, , bucket = '', key = ''] = path.split('/')
    if (path === '/connect') return { body: { schema: [TODO], bloomFilter: FILTER } }
    if (path === '/bloomfilter') return { body: FILTER }
    if (path === '/schema') return { body: [TODO] }
    if (path === '/schema/Todo') return { body: TODO }
    if (path === '/version') return { body: {} }
    if (path === '/transaction') return { body: { tid: 'one' } }
    if (path.startsWith('/transaction/')) return commit(body)
    if (/^\/db\/User\/(login|register|me|password)$/.test(path))
      return ofObject('/db/User/ann', 'GET', body, null)
    if (key === 'query' || key === 'count') return ofQuery(bucket, url)
    if (key === 'bulk') return ofBulk(body as unknown as Parameters<typeof ofBulk>[0])
    return key === ''
      ? ofBucket(bucket, body)
      : ofObject(`/db/${bucket}/${key}`, method, body, headers.get('If-Match'))
  }

  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const url = new URL(String(input), 'http://127.0.0.1')
    const sent = init.body === undefined ? {} : (JSON.parse(String(init.body)) as Body)
    const {
      status = 200,
      body,
      headers = {},
    } = answer(init.method ?? 'GET', url, sent, new Headers(init.headers))
    const text = body === undefined ? null : JSON.stringify(body)
    return new Response(text, { status, headers: { Date: NOW, 'Cache-Control': 'max-age=60', ...headers } })
  }

  /** Answers each subscription with its result, and sends nothing more. */
  class Socket {
    readyState = 1
    onopen = () => {}
    onmessage = (_: { data: string }) => {}
    onclose = () => {}

    constructor() {
      queueMicrotask(() => this.onopen())
    }

    send(text: string) {
      const { id, type, bucket, query, sort, aggregate } = JSON.parse(text) as { [member: string]: string }
      if (type === 'ping') this.onmessage({ data: JSON.stringify({ id, type: 'pong' }) })
      if (type !== 'subscribe') return
      const data = aggregate ? [{ _id: false, n: 1 }] : found(bucket ?? '', query ?? null, sort ?? null)
      queueMicrotask(() => this.onmessage({ data: JSON.stringify({ id, type: 'result', data }) }))
    }

    close() {
      this.readyState = 3
    }
  }

  return {
    fetch: fetch as typeof globalThis.fetch,
    WebSocket: Socket as unknown as typeof globalThis.WebSocket,
  }
}
