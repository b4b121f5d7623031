/** Calls of the REST API. */

export const BASE = '/v1'

/** The server said no. */
export class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** Sends a write and returns the object as it is now; nothing after a deletion. Fails with Refused or TypeError. */
export async function write(method, path, body, version) {
  const response = await fetch(BASE + path, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(version !== undefined && { 'If-Match': `"${version}"` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.status === 204 ? undefined : json(response)
}

/** The body of an answer. */
export async function json(response) {
  const body = await response.json().catch(() => ({}))
  if (!response.ok) {
    throw new Refused(response.status, body.message ?? `The server answered with status ${response.status}`)
  }
  return body
}

/** A fresh id. Not from randomUUID, which phones in the local network do not have: their page is not on HTTPS. */
export function newId(bucket) {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `/db/${bucket}/${key}`
}
