/** Requests that read although they are sent by POST. */
const QUERIES = /\/db\/[^/]+\/(query|count)$/

/** Refuses whatever could change something: nobody writes in the name of somebody else. */
export function readingOnly(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { url, method } = new Request(input, { ...init, body: null })
    if (method !== 'GET' && !(method === 'POST' && QUERIES.test(new URL(url).pathname))) {
      throw new Error('While you see the data as somebody else, nothing is written.')
    }
    return send(input, init)
  }
}
