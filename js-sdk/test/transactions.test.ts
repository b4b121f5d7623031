import { describe, expect, it, vi } from 'vitest'
import { ConflictError, connect, ConnectionError, OutOfDateError } from '../src/index.js'
import { fakeServer, stored } from './fakeServer.js'

const A = '/db/Account/a'
const B = '/db/Account/b'
const BEGIN = { status: 201, body: { tid: 't', bloomFilter: { m: 64, h: 3, b: '' } } }
const COMMIT = 'PUT /transaction/t/committed'
const conflict = (...stale: string[]) => ({
  status: 412,
  body: { reason: 'Object Out Of Date', message: 'no', data: { stale } },
})

interface Account {
  balance: number
}

async function connected(scripts: Parameters<typeof fakeServer>[0]) {
  const server = fakeServer({
    'POST /transaction': BEGIN,
    'PUT /transaction/t/aborted': { status: 204 },
    [`GET ${A}`]: { body: stored(A, 3, { balance: 50 }) },
    [`GET ${B}`]: { body: stored(B, 7, { balance: 0 }) },
    ...scripts,
  })
  const db = await connect<{ Account: Account }>('http://test', { fetch: server.fetch })
  const commits = () => server.asked.filter(({ path }) => path.endsWith('/committed')).map(({ body }) => body)
  return { db, commits, ...server }
}

describe('transaction', () => {
  it('is not repeated for a conflict of something else in its task', async () => {
    const { db, requests } = await connected({ [`PUT ${B}`]: conflict() })

    const transaction = db.transaction(() => db.bucket('Account').replace({ id: B, version: 1 }))

    await expect(transaction).rejects.toBeInstanceOf(OutOfDateError)
    expect(requests().filter((each) => each === 'POST /transaction')).toHaveLength(1)
  })

  it('replaces what it deletes and inserts again', async () => {
    const { db, commits } = await connected({ [COMMIT]: { body: [{ [A]: 4 }] } })

    await db.transaction(async (tx) => {
      await tx.bucket('Account').delete('a')
      tx.bucket('Account').insert({ id: 'a', balance: 1 })
    })

    expect(commits()).toMatchObject([{ writeSet: [{ id: A, version: 3, balance: 1 }], deleteSet: [] }])
  })

  it('commits what was read and written, and returns what its task does', async () => {
    const { db, commits } = await connected({ [COMMIT]: { body: [{ [A]: 4 }] } })

    const balance = await db.transaction(async (tx) => {
      const accounts = tx.bucket('Account')
      const [{ data: a }, { data: b }] = [await accounts.load('a'), await accounts.load('b')]
      accounts.replace({ ...a, balance: a.balance - 10 })
      accounts.update('c', (change) => change.inc('balance', 10))
      accounts.update('c', { $set: { text: 'x' } })
      await accounts.delete('b')
      accounts.insert({ id: 'd', balance: 1 })
      return a.balance + b.balance
    })

    expect(balance).toBe(50)
    expect(commits()).toEqual([
      {
        readSet: [
          { oid: A, version: 3 },
          { oid: B, version: 7 },
        ],
        writeSet: [stored(A, 3, { balance: 40 }), { id: '/db/Account/d', balance: 1 }],
        deleteSet: [{ [B]: 7 }],
        partialUpdates: [
          { ref: '/db/Account/c', operations: { $inc: { balance: 10 } } },
          { ref: '/db/Account/c', operations: { $set: { text: 'x' } } },
        ],
      },
    ])
  })

  it('sees each object once, as it has changed it', async () => {
    const { db, requests } = await connected({ [COMMIT]: { body: [] } })

    const seen = await db.transaction(async (tx) => {
      const accounts = tx.bucket('Account')
      const { data: first } = await accounts.load('a')
      first.balance = -1
      const { data: second } = await accounts.load('a')
      accounts.replace({ ...second, balance: 7 })
      const id = accounts.insert({ balance: 8 })
      const inserted = (await accounts.load(id)).data.balance
      await accounts.delete(id)
      await accounts.delete('a')
      const gone = await accounts.load('a').catch((error: Error) => error.name)
      return [second.balance, inserted, gone]
    })

    expect(seen).toEqual([50, 8, 'NotFoundError'])
    expect(requests()).toEqual(['POST /transaction', `GET ${A}`, COMMIT])
  })

  it('tells where each object came from', async () => {
    const { db } = await connected({ [COMMIT]: { body: [] } })

    const seen = await db.transaction(async (tx) => {
      const accounts = tx.bucket('Account')
      const read = await accounts.load('a')
      accounts.replace({ ...read.data, balance: 7 })
      return [read, await accounts.load('a')]
    })

    expect(seen[0]).toEqual({
      data: stored(A, 3, { balance: 50 }),
      source: 'server',
      age: expect.any(Number) as number,
      bound: expect.any(Number) as number,
      etag: null,
    })
    expect(seen[1]).toMatchObject({ data: { balance: 7 }, source: 'local', age: 0, bound: 0 })
  })

  it('has it checked that what was not there is still not there', async () => {
    const missing = { status: 404, body: { reason: 'Object Not Found' } }
    const { db, commits } = await connected({ [`GET ${A}`]: missing, [COMMIT]: { body: [] } })

    await db.transaction(async (tx) => {
      await tx
        .bucket('Account')
        .load('a')
        .catch(() => tx.bucket('Account').insert({ id: 'a', balance: 0 }))
    })

    expect(commits()).toMatchObject([
      { readSet: [{ oid: A, version: 0 }], writeSet: [{ id: A, balance: 0 }] },
    ])
  })

  it('refuses to write an object in part and as a whole', async () => {
    const { db } = await connected({ [COMMIT]: { body: [] } })

    const both = db.transaction(async (tx) => {
      const accounts = tx.bucket('Account')
      accounts.update('a', { $set: { balance: 1 } })
      accounts.replace({ id: A, version: 3, balance: 2 })
    })

    await expect(both).rejects.toBeInstanceOf(TypeError)
  })

  it('tries again after a conflict, with the newest state of what was stale, and tells of it', async () => {
    const { db, asked } = await connected({ [COMMIT]: [conflict(B), { body: [] }] })
    const onConflict = vi.fn()

    await db.transaction(
      async (tx) => {
        const accounts = tx.bucket('Account')
        await accounts.load('a')
        await accounts.load('b')
      },
      { onConflict },
    )

    const reads = asked.filter(({ path }) => path.startsWith('/db')).map(({ path, cache }) => [path, cache])
    expect(reads).toEqual([
      [A, 'default'],
      [B, 'default'],
      [A, 'default'],
      [B, 'no-cache'],
    ])
    expect(onConflict.mock.calls.map(([{ stale }]) => stale as string[])).toEqual([[B]])
  })

  it('gives up with the conflict', async () => {
    const { db, commits } = await connected({ [COMMIT]: conflict(A) })

    const failing = db.transaction((tx) => tx.bucket('Account').load('a'), { attempts: 3 })

    await expect(failing).rejects.toSatisfy((error) => error instanceof ConflictError && error.stale[0] === A)
    expect(commits()).toHaveLength(3)
  })

  it('writes nothing if its task fails on what is still so, and fails as it did', async () => {
    const { db, commits, requests } = await connected({ [COMMIT]: { body: [] } })
    const reason = new Error('cannot pay')
    const fail = () => Promise.reject(reason)

    const afterRead = db.transaction(async (tx) => {
      const { data: a } = await tx.bucket('Account').load('a')
      tx.bucket('Account').replace({ ...a, balance: 0 })
      await fail()
    })

    await expect(afterRead).rejects.toBe(reason)
    expect(commits()).toEqual([
      { readSet: [{ oid: A, version: 3 }], writeSet: [], deleteSet: [], partialUpdates: [] },
    ])
    await expect(db.transaction(fail)).rejects.toBe(reason)
    expect(requests().at(-1)).toBe('PUT /transaction/t/aborted')
  })

  it('tries again if its task failed on an old state', async () => {
    const { db } = await connected({
      [`GET ${A}`]: [{ body: stored(A, 3, { balance: 0 }) }, { body: stored(A, 4, { balance: 50 }) }],
      [COMMIT]: [conflict(A), { body: [] }],
    })

    const balance = await db.transaction(async (tx) => {
      const { data: a } = await tx.bucket('Account').load('a')
      if (a.balance < 10) throw new Error('cannot pay')
      return a.balance
    })

    expect(balance).toBe(50)
  })

  it('sends a commit that was not answered again, the very same', async () => {
    const { db, commits } = await connected({ [COMMIT]: [new TypeError('fetch failed'), { body: [] }] })

    await db.transaction((tx) => tx.bucket('Account').update('a', { $inc: { balance: 1 } }))

    expect(commits()).toHaveLength(2)
    expect(commits()[0]).toEqual(commits()[1])
  })

  it('ends without knowing whether it was done if no answer comes at all', { timeout: 20_000 }, async () => {
    const { db, commits, asked } = await connected({ [COMMIT]: new TypeError('fetch failed') })

    const failing = db.transaction((tx) => tx.bucket('Account').update('a', { $inc: { balance: 1 } }))

    await expect(failing).rejects.toBeInstanceOf(ConnectionError)
    expect(commits()).toHaveLength(4)
    await db.bucket('Account').load('a')
    expect(asked.at(-1)?.cache).toBe('no-cache')
  })
})
