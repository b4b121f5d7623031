import { Connectivity, thisDevice } from './connectivity.js'
import { ConnectionError, ProtocolError } from './errors.js'
import { toServerError } from './wire.js'

/**
A request to the server's interface.

@example
```ts
const request: RequestOptions = { method: 'POST', body: { keys: [{ text: 'asc' }] } }
```
*/
export interface RequestOptions {
  /** @default 'GET' */
  readonly method?: string
  /** Sent as JSON; a string as it is, as text. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** What gives requests their token, and learns of new ones. */
export interface Credentials {
  /** The headers that say who asks. */
  headers(): Record<string, string>
  /** Looks at an answer to a request that was made with these headers. */
  answered(response: Response, sent: Record<string, string>): void
}

/** Sends requests to one server. Turns answers that say no, and answers that do not arrive, into errors. */
export class Connector {
  readonly base: string
  readonly connectivity: Connectivity
  readonly #fetch: typeof fetch
  readonly #credentials: Credentials

  /**
  @param base URL of the interface without a slash at its end
  @param connectivity is told by `fetcher` what requests experience
  */
  constructor(base: string, credentials: Credentials, fetcher: typeof fetch, connectivity: Connectivity) {
    this.base = base
    this.connectivity = connectivity
    this.#credentials = credentials
    this.#fetch = fetcher
  }

  /**
  Sends a request past all caches.

  @throws {ServerError} if the server refused
  @throws {ConnectionError} if no answer arrived
  */
  send(path: string, request: RequestOptions = {}): Promise<Response> {
    return this.ask((init) => this.#fetch(this.base + path, { ...init, cache: 'no-store' }), request)
  }

  /** The same, and its answer from JSON; undefined for an answer without a body. */
  async sendForJson(path: string, request: RequestOptions = {}): Promise<unknown> {
    return bodyOf(await this.send(path, request))
  }

  /** Lets somebody else send a request, with what it needs to be ours. */
  async ask(send: (init: RequestInit) => Promise<Response>, request: RequestOptions = {}): Promise<Response> {
    request.signal?.throwIfAborted()
    const sent = this.#credentials.headers()
    const response = await send(toInit(request, sent)).catch((error: unknown) => {
      throw isFailure(error, request.signal) ? notConnected(error, this.connectivity.isDeviceOffline) : error
    })
    if (!response.ok) {
      throw await refusal(response)
    }
    this.#credentials.answered(response, sent)
    return response
  }
}

/** The body of an answer, from JSON. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw error instanceof TypeError ? notConnected(error, !thisDevice.onLine) : error
  })
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch (cause) {
    throw new ProtocolError('Not JSON', { cause })
  }
}

function toInit(
  { method = 'GET', body, headers, signal }: RequestOptions,
  credentials: Record<string, string>,
): RequestInit {
  const isText = typeof body === 'string'
  return {
    method,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': isText ? 'text/plain' : 'application/json' }),
      ...credentials,
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }
}

async function refusal(response: Response): Promise<Error> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN)
  const body: unknown = await response.json().catch(() => undefined)
  return toServerError(response.status, body, Number.isFinite(retryAfter) ? retryAfter : undefined)
}

/** What `fetch` rejects with where there is no answer; anything else is a mistake or an abort. */
function isFailure(error: unknown, signal: AbortSignal | undefined): boolean {
  return error instanceof TypeError && signal?.aborted !== true
}

function notConnected(cause: unknown, isOffline: boolean): ConnectionError {
  return new ConnectionError(isOffline ? 'This device is offline' : 'The server did not answer', isOffline, {
    cause,
  })
}

/** The base URL of the interface, without a slash at its end. */
export function baseOf(url: string): string {
  const trimmed = url.replace(/\/+$/, '')
  return /^(\w+:)?\/\/[^/]+$/.test(trimmed) || trimmed === '' ? `${trimmed}/v1` : trimmed
}
