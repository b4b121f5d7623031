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

/** Provides requests with their token, and observes new ones. */
export interface Credentials {
  /** Returns the headers that authenticate the user. */
  headers(): Record<string, string>
  /** Processes an answer to a request that was made with these headers. */
  answered(response: Response, sent: Record<string, string>): void
}

/** Sends requests to one server. Converts error answers and missing answers to errors. */
export class Connector {
  readonly base: string
  readonly connectivity: Connectivity
  readonly #fetch: typeof fetch
  readonly #credentials: Credentials

  /**
  @param base URL of the interface without a slash at its end
  @param connectivity `fetcher` updates it by the result of requests
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

  /**
  Sends a request past all caches, and returns its answer from JSON; undefined for an answer without
  a body.
  */
  async sendForJson(path: string, request: RequestOptions = {}): Promise<unknown> {
    return bodyOf(await this.send(path, request))
  }

  /** Sends a request by a given function, with the headers and error handling of this connector. */
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

/** Returns the body of an answer, from JSON. */
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

/** Distinguishes the error of `fetch` without an answer from a mistake or an abort. */
function isFailure(error: unknown, signal: AbortSignal | undefined): boolean {
  return error instanceof TypeError && signal?.aborted !== true
}

function notConnected(cause: unknown, isOffline: boolean): ConnectionError {
  return new ConnectionError(isOffline ? 'This device is offline' : 'The server did not answer', isOffline, {
    cause,
  })
}

/** Returns the base URL of the interface, without a slash at its end. */
export function baseOf(url: string): string {
  const trimmed = url.replace(/\/+$/, '')
  return /^(\w+:)?\/\/[^/]+$/.test(trimmed) || trimmed === '' ? `${trimmed}/v1` : trimmed
}
