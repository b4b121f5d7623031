import { describe, expect, it, vi } from 'vitest'
import { readingOnly } from '../src/app/readingOnly'
import { issueToken, revokeTokens } from '../src/users/tokens'

describe('a client that reads only', () => {
  const BASE = 'http://test/v1'

  it.each([
    ['GET', '/db/Todo/a'],
    ['GET', '/connect'],
    ['POST', '/db/Todo/query'],
    ['POST', '/db/Todo/count'],
  ])('sends %s %s', async (method, path) => {
    const send = vi.fn(async () => new Response())
    await readingOnly(send)(BASE + path, { method, ...(method === 'POST' && { body: '{}' }) })
    expect(send).toHaveBeenCalledOnce()
  })

  it.each([
    ['POST', '/db/Todo'],
    ['POST', '/db/Todo/a'],
    ['POST', '/db/Todo/query/x'],
    ['POST', '/query'],
    ['PUT', '/db/Todo/a'],
    ['PUT', '/db/Todo/query'],
    ['DELETE', '/db/Todo/a'],
    ['POST', '/db/User/password'],
    ['POST', '/transaction'],
  ])('does not send %s %s', async (method, path) => {
    const send = vi.fn(async () => new Response())
    await expect(readingOnly(send)(BASE + path, { method, body: '{}' })).rejects.toThrow(/nothing is written/)
    await expect(readingOnly(send)(new Request(BASE + path, { method }))).rejects.toThrow()
    expect(send).not.toHaveBeenCalled()
  })
})

describe('a token', () => {
  it.each([
    [600, '/db/User/a%2Fb/token?lifetime=600'],
    [undefined, '/db/User/a%2Fb/token'],
  ])('for %s seconds is asked for', async (seconds, path) => {
    const request = vi.fn(async () => ({ token: 't' }))
    expect(await issueToken({ request }, '/db/User/a%2Fb', seconds)).toBe('t')
    expect(request).toHaveBeenCalledWith(path, { method: 'POST' })
  })

  it('that was revoked may have a successor', async () => {
    const headers = { 'baqend-authorization-token': 'next' }
    const own = { response: async () => new Response(null, { headers }) }
    const others = { response: async () => new Response(null) }

    expect(await revokeTokens(own, '/db/User/1')).toBe('next')
    expect(await revokeTokens(others, '/db/User/1')).toBeNull()
  })
})
