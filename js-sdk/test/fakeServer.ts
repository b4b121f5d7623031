import { vi } from 'vitest'

/** A request that a test's server received. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly cache: RequestCache | undefined
  readonly headers: Headers
  readonly body: unknown
}

/** An answer of a script; a function is called for each request. */
export interface Scripted {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

type Script = Scripted | Error | ((asked: Asked) => Scripted | Promise<Scripted>)

export const NOW = 'Sat, 21 Nov 2026 12:00:00 GMT'

const HANDSHAKE: Scripted = {
  body: { schema: [], bloomFilter: { m: 64, h: 3, b: '' } },
  headers: { Date: NOW },
}

/**
A scripted server, `METHOD /path` to answer, as `fetch`. Several answers are given one after the
other, the last one repeatedly. A request without a script is a mistake of the test.
*/
export function fakeServer(scripts: { readonly [request: string]: Script | readonly Script[] }) {
  const asked: Asked[] = []
  const left = new Map(
    Object.entries({ 'GET /connect': HANDSHAKE, ...scripts }).map(([key, each]) => [key, [each].flat()]),
  )
  const answer = (request: Asked): Scripted | Error | Promise<Scripted> => {
    const answers = left.get(`${request.method} ${request.path}`)
    const script = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0]
    if (script === undefined) throw new Error(`Nobody expects ${request.method} ${request.path}`)
    return typeof script === 'function'
      ? (script as (asked: Asked) => Scripted | Promise<Scripted>)(request)
      : (script as Scripted | Error)
  }
  const fetch = vi.fn(async (url: string | URL | globalThis.Request, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const request: Asked = {
      method: init.method ?? 'GET',
      path: String(url).replace('http://test/v1', ''),
      cache: init.cache,
      headers: new Headers(init.headers),
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    }
    asked.push(request)
    const given = await answer(request)
    if (given instanceof Error) throw given
    const { status = 200, body, headers = {} } = given
    const text = body === undefined || status === 204 ? null : JSON.stringify(body)
    return new Response(text, { status, headers: { Date: NOW, ...headers } })
  })
  return {
    asked,
    fetch: fetch as unknown as typeof globalThis.fetch,
    /** `METHOD /path` of all requests but the handshake. */
    requests: () =>
      asked.filter(({ path }) => path !== '/connect').map(({ method, path }) => `${method} ${path}`),
  }
}

/** Returns an object as the server stores it. */
export const stored = (id: string, version: number, fields: object = {}) => ({
  id,
  version,
  acl: null,
  ...fields,
})
