import { ConnectionError, type Client } from '@orestes/sdk'
import { expect, it, vi } from 'vitest'
import { Sessions, type Session } from '../src/app/sessions'

const settled = () => new Promise((resolve) => setTimeout(resolve))

const unavailable = new ConnectionError('busy', false)

/** A server on which `root` is an admin; looks are answered when a test says so, or at once. */
async function begun({ isSlow = false } = {}) {
  let listener = () => {}
  let fetcher!: typeof fetch
  let status = 200
  const users = {
    me: { username: 'root' } as { username: string } | null,
    isValid: true,
    token: 'token' as string | null,
    onChange: (next: () => void) => (listener = next),
    become(username: string | null) {
      users.me = username === null ? null : { username }
      listener()
    },
    logout: () => users.me && users.become(null),
    refresh: async () => {
      if (!users.isValid) users.logout()
      return users.me
    },
  }
  const client = { users, close: vi.fn() } as unknown as Client
  const now = (): Session =>
    users.me === null
      ? { kind: 'anonymous', client }
      : { kind: 'admin', client, username: users.me.username, classes: [], hasEnded: false }
  const looks: { answer: () => void; fail: (error: Error) => void }[] = []
  let isBroken = false
  const look = () => {
    const found = now()
    if (isBroken) return Promise.reject(unavailable)
    if (!isSlow) return Promise.resolve(found)
    return new Promise<Session>((resolve, reject) =>
      looks.push({ answer: () => resolve(found), fail: reject }),
    )
  }
  const told: Session[] = []
  const sessions = new Sessions(
    {
      connect: async (given) => {
        fetcher = given
        return client
      },
      look,
      fetch: async () => ({ status }) as Response,
    },
    (session) => told.push(session),
  )
  void sessions.start()
  await settled()
  return {
    sessions,
    users,
    looks,
    last: () => told.at(-1),
    breakLooks: () => (isBroken = true),
    answerWith: async (next: number) => {
      status = next
      await fetcher('/')
      await settled()
    },
  }
}

it('is asked for again above the page when the server has ended it', async () => {
  const { users, last, answerWith } = await begun()
  users.isValid = false
  await answerWith(460)
  expect(last()).toMatchObject({ kind: 'admin', username: 'root', hasEnded: true })

  users.isValid = true
  users.become('root')
  await settled()
  expect(last()).toMatchObject({ kind: 'admin', hasEnded: false })
})

it('ends at once when the user wants it to, also in the place of logging in again', async () => {
  const { sessions, users, last, answerWith } = await begun()
  users.isValid = false
  await answerWith(460)

  sessions.logOut()
  await settled()

  expect(last()?.kind).toBe('anonymous')
})

it('is not asked for again where it was left in another tab', async () => {
  const { users, last, answerWith } = await begun()
  users.isValid = false
  users.token = null
  await answerWith(466)

  expect(last()?.kind).toBe('anonymous')
})

it('is not taken away by a refusal that does not end it', async () => {
  const { last, answerWith } = await begun()
  await answerWith(466)

  expect(last()).toMatchObject({ kind: 'admin', hasEnded: false })
})

it('is what the last look found, whichever is answered last', async () => {
  const { users, looks, last } = await begun({ isSlow: true })
  looks[0]?.answer()
  await settled()
  users.become('ann')
  users.become('bob')
  looks[2]?.answer()
  await settled()
  looks[1]?.answer()
  await settled()

  expect(last()).toMatchObject({ username: 'bob' })
})

it('keeps its page while the server is busy, for the same user only', async () => {
  const { users, last, breakLooks } = await begun()
  breakLooks()
  users.become('root')
  await settled()
  expect(last()).toMatchObject({ kind: 'admin', username: 'root' })

  users.become('ann')
  await settled()
  expect(last()?.kind).toBe('unreachable')
})
