import { describe, expect, it, vi } from 'vitest'
import { connect, CredentialsError, memoryTokens, webTokens } from '../src/index.js'
import { until } from './eventually.js'
import { fakeServer, NOW, stored } from './fakeServer.js'
import { FakeSocket, subscribed } from './frameworks.js'

const HEADER = 'baqend-authorization-token'
const SECONDS = Date.parse(NOW) / 1000
const ANN = stored('/db/User/17', 1, { username: 'ann' })
const HANDSHAKE = { schema: [], bloomFilter: { m: 64, h: 3, b: '' } }

/** Returns a token of this life, in seconds from {@link NOW}. */
const token = (from: number, to: number, payload = 'ann') =>
  `${(SECONDS + from).toString(16)}${(SECONDS + to).toString(16)}${payload}${'0'.repeat(40)}`

const YOUNG = token(-10, 100)
const OLD = token(-100, 10)
const NEXT = token(0, 110)

const brings = (next: string, body: unknown = ANN) => ({ body, headers: { [HEADER]: next } })
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Returns a client with the session of this token. */
async function resumed(
  current: string,
  scripts: Parameters<typeof fakeServer>[0],
  tokens = memoryTokens(current),
  options = {},
) {
  const server = fakeServer({ 'GET /connect': { body: { ...HANDSHAKE, user: ANN } }, ...scripts })
  const db = await connect('http://test', { fetch: server.fetch, tokens, ...options })
  return { db, tokens, ...server }
}

describe('users', () => {
  it('log in, send their token, and log out', async () => {
    const server = fakeServer({
      'POST /db/User/login': brings(YOUNG),
      'GET /db/Todo/a': { body: stored('/db/Todo/a', 1) },
    })
    const db = await connect('http://test', { fetch: server.fetch })
    const heard = vi.fn()
    const undo = db.users.onChange(heard)

    const user = await db.users.login('ann', 'secret')
    await db.bucket('Todo').load('a')
    db.users.logout()
    await db.bucket('Todo').load('a')
    undo()
    await db.users.login('ann', 'secret')

    expect(user).toEqual(ANN)
    expect(server.asked[1]?.body).toEqual({ username: 'ann', password: 'secret' })
    expect(server.asked.slice(2, 4).map(({ headers }) => headers.get('Authorization'))).toEqual([
      `BAT ${YOUNG}`,
      null,
    ])
    expect(heard.mock.calls).toEqual([[ANN], [null]])
  })

  it('stay who they are after a refused login', async () => {
    const { db } = await resumed(YOUNG, {
      'POST /db/User/login': { status: 460, body: { reason: 'Bad Credentials' } },
    })

    await expect(db.users.login('bob', 'x')).rejects.toBeInstanceOf(CredentialsError)
    expect([db.users.me, db.users.token]).toEqual([ANN, YOUNG])
  })

  it('are not taken over by registering somebody else without a login', async () => {
    const bob = stored('/db/User/18', 1, { username: 'bob' })
    const { db } = await resumed(YOUNG, { 'POST /db/User/register': { body: bob } })

    await db.users.register({ username: 'bob' }, 'x', { login: false })

    expect([db.users.me, db.users.token]).toEqual([ANN, YOUNG])
  })

  it('stay who they are when they change the password of somebody else', async () => {
    const bob = stored('/db/User/18', 1, { username: 'bob' })
    const { db } = await resumed(YOUNG, { 'POST /db/User/password': [{ body: bob }, brings(NEXT)] })

    expect(await db.users.changePassword('bob', '', 'y')).toEqual(bob)
    expect([db.users.me, db.users.token]).toEqual([ANN, YOUNG])
    await db.users.changePassword('ann', 'x', 'y')
    expect([db.users.me, db.users.token]).toEqual([ANN, NEXT])
  })

  it('are nobody when the handshake does not know their token any more', async () => {
    const server = fakeServer({})
    const tokens = memoryTokens(OLD)
    const db = await connect('http://test', { fetch: server.fetch, tokens })

    expect(server.asked[0]?.headers.get('Authorization')).toBe(`BAT ${OLD}`)
    expect([db.users.me, tokens.get()]).toEqual([null, null])
  })

  it('learn that their session has ended', async () => {
    const { db, tokens } = await resumed(YOUNG, {
      'GET /db/User/me': { status: 404, body: { reason: 'Object Not Found' } },
    })

    expect(await db.users.refresh()).toBeNull()
    expect([db.users.me, tokens.get()]).toEqual([null, null])
  })
})

describe('a late answer to who is logged in', () => {
  const bob = stored('/db/User/18', 1, { username: 'bob' })

  async function asking() {
    let answer = (_: object) => {}
    const late = new Promise<object>((resolve) => (answer = resolve))
    const { db } = await resumed(YOUNG, {
      'GET /db/User/me': () => late,
      'POST /db/User/login': brings(token(-10, 100, 'bob'), bob),
    })
    return { users: db.users, refreshing: db.users.refresh(), answer }
  }

  it('does not bring a session back', async () => {
    const { users, refreshing, answer } = await asking()

    users.logout()
    answer({ body: ANN })

    expect(await refreshing).toBeNull()
    expect(users.me).toBeNull()
  })

  it('does not end the session of somebody else', async () => {
    const { users, refreshing, answer } = await asking()

    await users.login('bob', 'x')
    answer({ status: 404, body: { reason: 'Object Not Found' } })

    expect(await refreshing).toEqual(bob)
    expect(users.token).toContain('bob')
  })

  it('counts if it brings the next token of the session', async () => {
    const renamed = { ...ANN, username: 'anne' }
    const { db } = await resumed(OLD, { 'GET /db/User/me': brings(NEXT, renamed) })

    expect(await db.users.refresh()).toEqual(renamed)
    expect([db.users.me, db.users.token]).toEqual([renamed, NEXT])
  })
})

describe('a token', () => {
  it('is replaced in the second half of its life, by what answers bring', async () => {
    const scripts = { 'POST /db/Todo': brings(NEXT, stored('/db/Todo/a', 1)) }
    const [young, old] = [await resumed(YOUNG, scripts), await resumed(OLD, scripts)]

    await young.db.bucket('Todo').insert({})
    await old.db.bucket('Todo').insert({})

    expect(young.tokens.get()).toBe(YOUNG)
    expect(old.tokens.get()).toBe(NEXT)
  })

  it('is asked for then if answers bring none, once', async () => {
    const { db, tokens, requests } = await resumed(OLD, {
      'GET /db/Todo/count?q=%7B%7D': { body: { count: 1 } },
      'GET /db/User/me': brings(NEXT),
    })

    await Promise.all([1, 2, 3].map(() => db.bucket('Todo').find().count()))
    await settle()

    expect(tokens.get()).toBe(NEXT)
    expect(requests().filter((each) => each === 'GET /db/User/me')).toHaveLength(1)
  })

  it('does not come back with an answer from before the logout', async () => {
    const { db, tokens } = await resumed(OLD, { 'POST /db/Todo': brings(NEXT, stored('/db/Todo/a', 1)) })

    const insertion = db.bucket('Todo').insert({})
    db.users.logout()
    await insertion

    expect(tokens.get()).toBeNull()
  })

  it('of another session is not replaced by an answer to this one', async () => {
    const { db, tokens } = await resumed(OLD, { 'POST /db/Todo': brings(NEXT, stored('/db/Todo/a', 1)) })
    const bob = token(-100, 10, 'bob')

    const insertion = db.bucket('Todo').insert({})
    tokens.set(bob)
    await insertion

    expect(tokens.get()).toBe(bob)
  })
})

describe('webTokens', () => {
  it.each([
    ['is not there', { value: undefined }],
    [
      'is forbidden',
      {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError')
        },
      },
    ],
  ])('live as long as the client where storage %s', (_, storage) => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, ...storage })
    const tokens = webTokens()
    if (before) Object.defineProperty(globalThis, 'localStorage', before)
    else delete (globalThis as { localStorage?: unknown }).localStorage

    tokens.set('token')

    expect(tokens.get()).toBe('token')
  })

  /** Tabs of a browser: one storage, one lock, and events for all but the one that writes. */
  function browser() {
    const values = new Map<string, string>()
    const tabs: EventTarget[] = []
    let last: Promise<unknown> = Promise.resolve()
    const locks = {
      request: (_: string, task: () => Promise<unknown>) => (last = last.then(task)),
    } as unknown as Pick<LockManager, 'request'>
    const tab = () => {
      const events = new EventTarget()
      const tell = (key: string) =>
        tabs
          .filter((each) => each !== events)
          .forEach((each) => each.dispatchEvent(Object.assign(new Event('storage'), { key })))
      const storage = {
        getItem: (key: string) => values.get(key) ?? null,
        setItem: (key: string, value: string) => (values.set(key, value), tell(key)),
        removeItem: (key: string) => (values.delete(key), tell(key)),
      }
      tabs.push(events)
      return webTokens({ storage, events, locks })
    }
    return { tab }
  }

  it('renew a token in one tab alone', async () => {
    const { tab } = browser()
    const [one, two] = [tab(), tab()]
    one.set(OLD)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const scripts = {
      'GET /db/Todo/count?q=%7B%7D': { body: { count: 1 } },
      'GET /db/User/me': () => released.then(() => brings(NEXT)),
    }
    const clients = [await resumed(OLD, scripts, one), await resumed(OLD, scripts, two)]
    clients.forEach(({ db }) => db.close())

    // both detect that it is time before either has the next token
    await Promise.all(clients.map(({ db }) => db.bucket('Todo').find().count()))
    release()
    await until(() => one.get() === NEXT)
    await settle()

    const asked = clients.flatMap(({ requests }) => requests())
    expect(asked.filter((each) => each === 'GET /db/User/me')).toHaveLength(1)
    expect(two.get()).toBe(NEXT)
  })

  it('log in and out in all tabs', async () => {
    const { tab } = browser()
    const scripts = {
      'POST /db/User/login': brings(YOUNG),
      'GET /db/User/me': { body: ANN },
      'GET /connect': { body: HANDSHAKE },
    }
    const [here, there] = [await resumed('', scripts, tab()), await resumed('', scripts, tab())]

    await here.db.users.login('ann', 'secret')
    await settle()
    const seen = there.db.users.me
    here.db.users.logout()
    await settle()

    expect(seen).toEqual(ANN)
    expect(there.db.users.me).toBeNull()
  })

  it('show nothing of who was there before while nobody can say who is there now, and ask again', async () => {
    const { tab } = browser()
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    const bob = stored('/db/User/18', 1, { username: 'bob' })
    const unavailable = { status: 503, body: { reason: 'Unavailable' } }
    let answer = (_: object) => {}
    const known = new Promise<object>((resolve) => (answer = resolve))
    const here = tab()
    const scripts = { 'GET /db/User/me': [unavailable, () => known], 'GET /version': { body: {} } }
    const there = tab()
    here.set(YOUNG)
    const { db } = await resumed(YOUNG, scripts, there, { WebSocket: FakeSocket })
    const lists: unknown[] = []
    const stop = db
      .bucket('Todo')
      .find()
      .live()
      .subscribe(({ data }) => lists.push(data))
    const socket = await subscribed()
    socket.tell('result', { data: [stored('/db/Todo/ofAnn', 1)] })

    here.set(token(-10, 100, 'bob'))
    await until(() => lists.length > 1)
    const before = db.users.me
    answer(brings(token(-10, 100, 'bob'), bob))
    await until(() => db.users.me?.username === 'bob')
    stop()
    db.close()
    random.mockRestore()

    expect(lists.slice(0, 2)).toEqual([[stored('/db/Todo/ofAnn', 1)], []])
    expect(before).toEqual(ANN)
  })

  it('do not hear of other keys, nor of anything once the client is closed', async () => {
    const { tab } = browser()
    const [here, there] = [
      tab(),
      await resumed('', { 'GET /connect': { body: HANDSHAKE }, 'GET /db/User/me': { body: ANN } }, tab()),
    ]

    there.db.close()
    here.set(YOUNG)
    await settle()

    expect(there.db.users.me).toBeNull()
  })
})
