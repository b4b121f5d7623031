import type { Client } from '@orestes/sdk'
import type { ApiRequest } from './request'
import type { Operation } from './spec'

/** What came back, of whatever status. */
export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Indented where it is JSON. */
  readonly body: string
  /** Whether the body went on beyond what is shown. */
  readonly isCut: boolean
  /** From the request to the end of what is shown. */
  readonly millis: number
}

/** How much of a body is shown, in bytes. */
const MOST_BYTES = 200_000

/** Headers whose values let whoever reads them act as somebody else. */
const SECRET: readonly string[] = ['baqend-authorization-token']

/** What changes nothing, or adds something only. */
const HARMLESS: readonly string[] = [
  'connectForm',
  'insert',
  'queryByBody',
  'countByBody',
  'prepareQuery',
  'login',
  'register',
  'beginTransaction',
  'abortTransaction',
  'issueToken',
  'assumeRole',
]

/** Whether an answer goes on for as long as somebody listens. */
export function isEndless({ id }: Operation): boolean {
  return id === 'events' || id === 'socket'
}

/** Whether somebody has to be asked first: all but what is known to change nothing that is there. */
export function isAskedFirst({ id, method }: Operation): boolean {
  return method !== 'GET' && !HARMLESS.includes(id)
}

/**
Sends a request as the user of a client, whose session stays as it is whatever the answer.

@throws {TypeError} if no answer arrives
*/
export async function send(client: Client, request: ApiRequest, signal: AbortSignal): Promise<Answer> {
  const { method, path, headers, body } = request
  const began = performance.now()
  const response = await fetch(client.url + path, {
    method,
    headers: { ...headers, Authorization: `BAT ${client.users.token ?? ''}` },
    ...(body !== undefined && { body }),
    cache: 'no-store',
    signal,
  })
  const { text, isCut } = await beginningOf(response)
  const millis = performance.now() - began
  return { status: response.status, headers: shownHeaders(response), body: readable(text), isCut, millis }
}

function shownHeaders({ headers }: Response): [string, string][] {
  return [...headers].map(([name, value]) => [name, SECRET.includes(name) ? '(not shown)' : value])
}

async function beginningOf({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  const reader = body?.getReader()
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    text += decoder.decode(next.value, { stream: true })
    bytes += next.value.length
    if (bytes > MOST_BYTES) {
      await reader?.cancel()
      return { text: text.slice(0, MOST_BYTES), isCut: true }
    }
  }
  return { text: text + decoder.decode(), isCut: false }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
