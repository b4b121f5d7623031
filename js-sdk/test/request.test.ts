import { expect, it } from 'vitest'
import { connect, memoryTokens, PermissionError } from '../src/index.js'
import { fakeServer } from './fakeServer.js'

it('sends what there is no method for, past all caches', async () => {
  const { fetch, asked } = fakeServer({ 'POST /index/Todo': { status: 202 } })
  const db = await connect('http://test', { fetch })

  const answer = await db.request('/index/Todo', { method: 'POST', body: { keys: [{ text: 'asc' }] } })

  expect(answer).toBeUndefined()
  expect(asked.at(-1)).toMatchObject({ cache: 'no-store', body: { keys: [{ text: 'asc' }] } })
})

it('carries the token of the session', async () => {
  const { fetch, asked } = fakeServer({
    'GET /connect': { body: { schema: [], user: { id: '/db/User/1', version: 1, acl: null } } },
    'GET /-/migrations': { body: { applied: [] } },
  })
  const db = await connect('http://test', { fetch, tokens: memoryTokens('a token') })

  await db.request('/-/migrations')

  expect(asked.at(-1)?.headers.get('Authorization')).toBe('BAT a token')
})

it('fails as every call does', async () => {
  const { fetch } = fakeServer({
    'GET /-/migrations': { status: 466, body: { reason: 'Permission Denied', message: 'no' } },
  })
  const db = await connect('http://test', { fetch })

  await expect(db.request('/-/migrations')).rejects.toThrow(PermissionError)
})

it('gives the answer as it comes where that is wanted', async () => {
  const { fetch } = fakeServer({ 'GET /db/Todo': { body: [{ text: 'tea' }] } })
  const db = await connect('http://test', { fetch })

  const { body } = await db.response('/db/Todo')

  expect(await new Response(body).json()).toEqual([{ text: 'tea' }])
})
