import { describe, expect, it } from 'vitest'
import { cachingFetch, memoryStore, type StoredResponse } from '../src/cache.js'
import { StalenessGuard } from '../src/index.js'

const URL = 'http://test/a'
const PUBLIC = { 'Cache-Control': 'public, max-age=10', ETag: '"1"' }
type Answer = { status?: number; body?: string; headers?: Record<string, string> }

function cacheOf(...answers: Answer[]) {
  const sent: { method: string; headers: Headers }[] = []
  const store = memoryStore()
  let now = 1_000_000
  const fetch = cachingFetch({
    store,
    now: () => now,
    fetch: async (_, init = {}) => {
      sent.push({ method: init.method ?? 'GET', headers: new Headers(init.headers) })
      const {
        status = 200,
        body = 'x',
        headers = PUBLIC,
      } = (answers.length > 1 ? answers.shift() : answers[0])!
      return new Response(status === 304 ? null : body, { status, headers })
    },
  })
  const text = async (init?: RequestInit) => (await fetch(URL, init)).text()
  return { fetch, text, sent, store, advance: (seconds: number) => (now += seconds * 1000) }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

/** The test gives the answers, by the number of the request. */
function byHand() {
  const answers: ((response: Response) => void)[] = []
  const store = memoryStore()
  const fetch = cachingFetch({
    store,
    now: () => 1_000_000,
    fetch: () => new Promise((resolve) => answers.push(resolve)),
  })
  const answer = (index: number, body: string, headers: Record<string, string> = PUBLIC) =>
    void settled().then(() => answers[index]!(new Response(body, { headers })))
  return { fetch, store, answer, text: async (init?: RequestInit) => (await fetch(URL, init)).text() }
}

describe('with a StalenessGuard, cachingFetch', () => {
  const PRIVATE = { 'Cache-Control': 'private, no-cache', 'Orestes-Bound': '0', ETag: '"1"' }

  it('asks once for a result that no cache may hold, and again next time', async () => {
    const body = JSON.stringify({ m: 64, h: 3, b: '' })
    const { fetch, sent } = cacheOf({ body, headers: PRIVATE })
    const guardOf = async () => {
      const guard = new StalenessGuard({ url: 'http://test/bloomfilter', fetch })
      await guard.reload()
      return guard
    }

    const guard = await guardOf()
    const first = await guard.read('/db/Todo/query?', URL)
    const asked = sent.length
    await (await guardOf()).read('/db/Todo/query?', URL)

    expect([asked, first.isNewest, await first.response.text()]).toEqual([2, true, body])
    // its copy is older, and only the server can confirm it
    expect(sent.length).toBeGreaterThan(asked)
    expect(sent.at(-1)?.headers.get('If-None-Match')).toBe('"1"')
  })
})

describe('cachingFetch', () => {
  it('answers from its copy as long as the server lets it', async () => {
    const { text, sent, advance } = cacheOf({ body: 'one' }, { body: 'two' })

    expect([await text(), await text()]).toEqual(['one', 'one'])
    advance(9.9)
    expect(await text()).toBe('one')
    advance(0.1)
    expect(await text()).toBe('two')
    expect(sent).toHaveLength(2)
  })

  it('counts the age that a copy came with', async () => {
    const { text, sent, advance } = cacheOf({ headers: { ...PUBLIC, Age: '8' } })

    await text()
    advance(2)
    await text()

    expect(sent).toHaveLength(2)
  })

  it('revalidates with the tag of its copy, and takes over what the confirmation says', async () => {
    const { text, fetch, sent, advance } = cacheOf(
      { body: 'one' },
      { status: 304, headers: { 'Cache-Control': 'public, max-age=60', ETag: '"1"', 'Orestes-Bound': '60' } },
    )

    await text()
    const confirmed = await fetch(URL, { cache: 'no-cache' })
    advance(50)

    expect(confirmed.status).toBe(200)
    expect(confirmed.headers.get('Orestes-Bound')).toBe('60')
    expect(await text()).toBe('one')
    expect(sent.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, '"1"'])
    expect(sent[1]?.headers.get('Cache-Control')).toBe('no-cache')
  })

  it('leaves to the caller which copies others may answer with', async () => {
    const { fetch, sent } = cacheOf({})

    await fetch(URL, { cache: 'no-cache', headers: { 'Cache-Control': 'no-cache, or-purged' } })

    expect(sent[0]?.headers.get('Cache-Control')).toBe('no-cache, or-purged')
  })

  it('gives expired copies to who takes any', async () => {
    const { text, sent, advance } = cacheOf({ headers: { 'Cache-Control': 'private, max-age=0' } })

    await text()
    advance(100)
    await text({ cache: 'force-cache' })

    expect(sent).toHaveLength(1)
  })

  it.each([
    ['what is not to be kept', { headers: { 'Cache-Control': 'no-store' } }],
    ['what has to be asked for each time', { headers: { 'Cache-Control': 'private, no-cache' } }],
    ['errors', { status: 404 }],
    ['answers that differ by a header nobody looks at', { headers: { ...PUBLIC, Vary: 'X-Mood' } }],
  ])('does not answer with %s', async (_, answer) => {
    const { text, sent } = cacheOf(answer)

    await text()
    await text()

    expect(sent).toHaveLength(2)
  })

  it.each([
    ['private', { 'Cache-Control': 'private, max-age=60' }],
    ['by who asks', { 'Cache-Control': 'public, max-age=60', Vary: 'origin, Authorization' }],
  ])('gives what is %s to nobody else', async (_, headers) => {
    const { text, sent } = cacheOf({ headers, body: 'ann' }, { headers, body: 'nobody' })

    expect(await text({ headers: { Authorization: 'BAT ann' } })).toBe('ann')
    expect(await text({ headers: { Authorization: 'BAT ann' }, cache: 'force-cache' })).toBe('ann')
    expect(await text({ cache: 'force-cache' })).toBe('nobody')
    expect(sent).toHaveLength(2)
    expect(sent[1]?.headers.has('If-None-Match')).toBe(false)
  })

  it('keeps what is public for everybody', async () => {
    const { text, sent } = cacheOf({})

    await text({ headers: { Authorization: 'BAT ann' } })
    await text()

    expect(sent).toHaveLength(1)
  })

  it('drops a copy of what is written, and what was deleted', async () => {
    const { text, fetch, store } = cacheOf({ body: 'one' })

    await text()
    await fetch(URL, { method: 'PUT' })

    expect(await store.get(URL)).toBeUndefined()
  })

  it('does not let a late answer take the place of a newer copy', async () => {
    const { fetch, text, answer } = byHand()

    const [first, second] = [text(), text({ cache: 'no-cache' })]
    answer(1, 'new')
    await second
    answer(0, 'old')

    expect(await first).toBe('old')
    expect(await (await fetch(URL)).text()).toBe('new')
  })

  it('does not keep what was asked for before a write was answered', async () => {
    const { text, answer, fetch, store } = byHand()

    const reading = text()
    await settled()
    const writing = fetch(URL, { method: 'PUT' })
    answer(1, 'done')
    await writing
    answer(0, 'old')
    await reading

    expect(await store.get(URL)).toBeUndefined()
  })

  it('does not keep what is older than an answer that none may keep', async () => {
    const { text, answer, store } = byHand()

    const [first, second] = [text(), text({ cache: 'no-cache' })]
    answer(1, 'gone', { 'Cache-Control': 'no-store' })
    await second
    answer(0, 'old')
    await first

    expect(await store.get(URL)).toBeUndefined()
  })

  it('does not keep what is older than the copy that somebody else put into the store', async () => {
    const { text, answer, store } = byHand()

    const reading = text()
    await settled()
    store.set(URL, { headers: [], body: 'new', askedAt: 2_000_000 })
    answer(0, 'old')
    await reading

    expect((await store.get(URL))?.body).toBe('new')
  })

  it('keeps no token', async () => {
    const { text, store } = cacheOf({ headers: { ...PUBLIC, 'baqend-authorization-token': 'secret' } })

    await text()

    expect(JSON.stringify(await store.get(URL))).not.toContain('secret')
  })
})

describe('memoryStore', () => {
  it('counts URLs and headers, too', () => {
    const store = memoryStore(10)

    store.set('abc', { headers: [['d', 'e']], body: '', askedAt: 0 })
    store.set('fgh', { headers: [['i', 'jk']], body: '', askedAt: 0 })

    expect(store.get('abc')).toBeUndefined()
    expect(store.get('fgh')).toBeDefined()
  })

  const entry = (body: string): StoredResponse => ({ headers: [], body, askedAt: 0 })

  it('keeps what was used last within its size', () => {
    const store = memoryStore(13)

    store.set('a', entry('aaaa'))
    store.set('b', entry('bbbb'))
    store.get('a')
    store.set('c', entry('cccc'))
    store.set('c', entry('cc'))
    store.set('d', entry('dddd'))

    expect(['a', 'b', 'c', 'd'].filter((url) => store.get(url))).toEqual(['a', 'c', 'd'])
  })
})
