import { parse } from '../wire.js'

/**
Returns the request of the filter of stale keys, in gzip where that can be read: with few keys it is
mostly zeros.
*/
export function filterQuestion(id: string, etag: string | undefined): object {
  const gzip = 'DecompressionStream' in globalThis
  return { id, type: 'bloomFilter', ...(etag !== undefined && { etag }), ...(gzip && { gzip }) }
}

/**
Returns the answer without gzip.

@throws {Error} if it is none
*/
export async function unzipped({ gzip, ...message }: Record<string, unknown>): Promise<object> {
  if (typeof gzip !== 'string') {
    return message
  }
  const bytes = Uint8Array.from(atob(gzip), (char) => char.charCodeAt(0))
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return { ...message, data: parse(await new Response(text).text()) }
}
