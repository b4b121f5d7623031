import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { cachingFetch } from '../src/cache.js'

it('leaves it to caches on the way to answer what need not be the newest state', async () => {
  const seen = []
  const server = createServer((request, response) => {
    seen.push(request.headers['cache-control'] ?? request.headers['pragma'])
    response.setHeader('Cache-Control', 'public, max-age=0').setHeader('ETag', '"1"').end('x')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fetch = cachingFetch()

  for (const cache of ['default', 'default', 'no-cache']) {
    await (await fetch(`http://127.0.0.1:${server.address().port}/`, { cache })).text()
  }
  server.closeAllConnections()
  server.close()

  expect(seen).toEqual([undefined, undefined, 'no-cache'])
})
