import { describe, expect, it, vi } from 'vitest'
import { ServerError, StalenessGuard } from '../src/index.js'

const STALE = '/db/Person/1'
const FRESH = '/db/Person/2'
const FILTER = { m: 64, h: 3, b: 'AAgIAAICIIA=' }
const EMPTY = { m: 64, h: 3, b: '' }

/** A guard whose filter requests the test answers, one `answer` each, on a clock of the test. */
function guardOf(boundSeconds = 60) {
  const answers: ((response: Response) => void)[] = []
  const resources: (RequestInit | undefined)[] = []
  const onError = vi.fn()
  let now = 0
  const guard = new StalenessGuard({
    url: '/v1/bloomfilter',
    boundSeconds,
    now: () => now,
    onError,
    fetch: async (url, init) => {
      if (url === '/v1/bloomfilter') {
        return new Promise((resolve) => answers.push(resolve))
      }
      resources.push(init)
      return new Response('{}')
    },
  })
  return {
    guard,
    resources,
    onError,
    asked: () => answers.length,
    advance: (seconds: number) => (now += seconds * 1000),
    /** Answers the latest filter request, and waits until the guard has adopted it. */
    answer: async (body: unknown, status = 200) => {
      answers.at(-1)?.(new Response(JSON.stringify(body), { status }))
      await new Promise((resolve) => setTimeout(resolve))
    },
  }
}

describe('a filter that does not come', () => {
  it('is not waited for for ever, and another one may be asked for', async () => {
    const aborter = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(aborter.signal)
    const { guard, asked, answer } = guardOf()
    const hanging = guard.reload()

    aborter.abort(new DOMException('too late', 'TimeoutError'))
    await expect(hanging).rejects.toMatchObject({ name: 'TimeoutError' })
    const next = guard.reload()
    await answer(FILTER)
    await next

    expect(asked()).toBe(2)
    expect(AbortSignal.timeout).toHaveBeenCalledWith(10_000)
    vi.restoreAllMocks()
  })
})

async function loaded(filter: unknown = FILTER) {
  const test = guardOf()
  const loading = test.guard.reload()
  await test.answer(filter)
  await loading
  return test
}

const ALL_OF_CLASS = '/db/Todo/query?'

/**
A guard that loaded an empty filter at noon, and a browser's cache whose copy of every resource left
the server at `date`.
*/
async function queryGuard(given: { date?: string; control?: string; bound?: string } = {}) {
  const modes: (RequestCache | undefined)[] = []
  let now = 0
  const guard = new StalenessGuard({
    url: '/v1/bloomfilter',
    boundSeconds: 600,
    now: () => now,
    fetch: async (url, init) => {
      if (url === '/v1/bloomfilter') {
        return new Response(JSON.stringify(EMPTY), { headers: { Date: 'Sat, 21 Nov 2026 12:00:00 GMT' } })
      }
      modes.push(init?.cache)
      const { date = 'Sat, 21 Nov 2026 11:59:30 GMT', control = 'private, max-age=0', bound = '60' } = given
      return new Response('[]', { headers: { Date: date, 'Cache-Control': control, 'Orestes-Bound': bound } })
    },
  })
  await guard.reload()
  return { guard, modes, advance: (seconds: number) => (now += seconds * 1000) }
}

describe('StalenessGuard with queries', () => {
  it('takes a result from the cache as long as the server lets caches hold it', async () => {
    const { guard, modes, advance } = await queryGuard()

    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')
    advance(27)
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')

    expect(modes).toEqual(['force-cache', 'force-cache'])
  })

  it('asks again when a copy may be older than that, rounding and the age of the filter included', async () => {
    const { guard, modes, advance } = await queryGuard()

    advance(27.001)
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')

    expect(modes).toEqual(['force-cache', 'no-cache'])
  })

  it.each([
    { control: 'private, no-cache' },
    { control: 'public, no-cache' },
    { control: 'no-store, s-maxage=60' },
    { bound: '' },
    { bound: '0' },
    { date: '' },
  ])('asks again for what says nothing of a life: %o', async (given) => {
    const { guard, modes } = await queryGuard(given)

    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')

    expect(modes).toEqual(['force-cache', 'no-cache'])
  })

  it('asks no cache for what none may hold, nor for other queries of the class, until they may be held', async () => {
    const given = { control: 'private, no-cache', bound: '0' }
    const { guard, modes } = await queryGuard(given)

    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')
    await guard.fetch('/db/Todo/query?count=1', '/v1/db/Todo/query?count=1')
    Object.assign(given, { control: 'private, max-age=0', bound: '60' })
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')

    expect(modes).toEqual(['force-cache', 'no-cache', 'no-cache', 'no-cache', 'no-cache', 'force-cache'])
  })

  it('asks again for what seems to come from the future, as the server may have set back its clock', async () => {
    const { guard, modes } = await queryGuard({ date: 'Sat, 21 Nov 2026 12:00:04 GMT' })

    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')

    expect(modes).toEqual(['force-cache', 'no-cache'])
  })

  it('asks again for all queries of a class that this page wrote to', async () => {
    const { guard, modes } = await queryGuard()

    guard.wrote('/db/Todo/milk')
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')
    await guard.fetch(ALL_OF_CLASS, '/v1/db/Todo/query')
    await guard.fetch('/db/Todo/query?count=1', '/v1/db/Todo/query?count=1')
    await guard.fetch('/db/Other/query?', '/v1/db/Other/query')

    expect(modes).toEqual(['no-cache', 'force-cache', 'no-cache', 'force-cache'])
  })
})

describe('StalenessGuard with caches nearby', () => {
  async function nearby({ boundSeconds = 60, purgeLag = '' } = {}) {
    const demands: (string | null)[] = []
    let now = 0
    let loads = 0
    const guard = new StalenessGuard({
      url: '/v1/bloomfilter',
      nearby: true,
      boundSeconds,
      now: () => now,
      fetch: async (url, init) => {
        if (url === '/v1/bloomfilter') {
          loads++
          return new Response(JSON.stringify(FILTER), { headers: { 'Orestes-Purge-Lag': purgeLag } })
        }
        demands.push(new Headers(init?.headers).get('Cache-Control'))
        return new Response('{}')
      },
    })
    await guard.reload()
    return { guard, demands, loads: () => loads, advance: (seconds: number) => (now += seconds * 1000) }
  }

  /**
  Returns the answer to a write that changed no result; all have been watched for so many seconds.
  */
  function kept(seconds: number | string) {
    return { headers: new Headers({ 'Orestes-Results-Kept': `${seconds}` }) }
  }

  it('takes a copy that was fetched since the filter was asked for', async () => {
    const { guard, demands, advance } = await nearby()

    advance(7.9)
    await guard.fetch(STALE, '/v1/db/Person/1')
    await guard.fetch(FRESH, '/v1/db/Person/2')

    expect(demands).toEqual(['max-age=7', null])
  })

  it('takes none for what this page wrote less than a second ago, nor with a filter of the last second', async () => {
    const { guard, demands, advance } = await nearby()

    advance(0.9)
    await guard.fetch(STALE, '/v1/db/Person/1')
    advance(9)
    guard.wrote(FRESH)
    await guard.fetch(FRESH, '/v1/db/Person/2')

    expect(demands).toEqual([null, null])
  })

  it('takes what was fetched since the write for what this page wrote', async () => {
    const { guard, demands, advance } = await nearby({ purgeLag: '2' })

    advance(9)
    guard.wrote(FRESH)
    advance(3.5)
    await guard.fetch(FRESH, '/v1/db/Person/2')

    expect(demands).toEqual(['max-age=3'])
  })

  it('takes none older than the bound when the filter is', async () => {
    const { guard, demands, advance } = await nearby({ boundSeconds: 5 })

    advance(3600)
    await guard.fetch(FRESH, '/v1/db/Person/2')

    expect(demands).toEqual(['max-age=5'])
  })

  it('takes any copy of a cache that is purged in time', async () => {
    const { guard, demands, advance } = await nearby({ purgeLag: '2' })

    await guard.fetch(STALE, '/v1/db/Person/1')
    advance(30)
    await guard.fetch(FRESH, '/v1/db/Person/2')

    expect(demands).toEqual(['no-cache, or-purged', null])
  })

  it.each(['3', 'unknown', '', '-1', '1, 2'])('takes none of one that is behind by %j', async (purgeLag) => {
    const { guard, demands, advance } = await nearby({ purgeLag })

    advance(30)
    await guard.fetch(STALE, '/v1/db/Person/1')

    expect(demands).toEqual(['max-age=30'])
  })

  it('takes none that may be older than the bound', async () => {
    const { guard, demands, advance } = await nearby({ boundSeconds: 10, purgeLag: '2' })

    advance(8.001)
    await guard.fetch(STALE, '/v1/db/Person/1')

    expect(demands).toEqual(['max-age=8'])
  })

  it('remembers a write until what the next filter says of purges includes it', async () => {
    const { guard, demands, advance } = await nearby({ purgeLag: '2' })

    guard.wrote(STALE)
    advance(3)
    await guard.reload()
    await guard.fetch(STALE, '/v1/db/Person/1')
    advance(0.001)
    await guard.reload()
    await guard.fetch(STALE, '/v1/db/Person/1')

    expect(demands).toEqual([null, 'no-cache, or-purged'])
  })

  it('loads the next filter ahead of time and goes on with the one it has', async () => {
    const { guard, advance, loads } = await nearby({ boundSeconds: 10 })

    advance(7)
    expect(guard.cacheMode(FRESH)).toBe('default')
    expect(loads()).toBe(1)

    advance(0.001)
    expect(guard.cacheMode(FRESH)).toBe('default')
    expect(guard.cacheMode(FRESH)).toBe('default')
    expect(loads()).toBe(2)
  })

  it('goes on with no filter that became too old meanwhile, or is to be replaced', async () => {
    const { guard, advance } = await nearby({ boundSeconds: 10 })
    advance(7.5)
    guard.cacheMode(FRESH)

    advance(3)
    expect(guard.cacheMode(FRESH)).toBe('no-cache')

    advance(-3)
    const reloading = guard.reload()
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    await reloading
  })

  it('leaves query results alone after a write that changed none', async () => {
    const { guard, advance } = await nearby()
    advance(5)

    guard.wrote('/db/Todo/milk', kept(9))

    expect(guard.cacheMode(ALL_OF_CLASS)).toBe('force-cache')
    expect(guard.cacheMode('/db/Todo/milk')).toBe('no-cache')
  })

  it.each([8, 'often'])(
    'asks for them again if some were left without a watch since the filter, %j',
    async (seconds) => {
      const { guard, advance } = await nearby()
      advance(5)

      guard.wrote('/db/Todo/milk', kept(seconds))

      expect(guard.cacheMode(ALL_OF_CLASS)).toBe('no-cache')
    },
  )
})

describe('StalenessGuard', () => {
  it('bypasses everything before the first filter, which it loads by itself', async () => {
    const { guard, answer, asked } = guardOf()

    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    expect(asked()).toBe(1)

    await answer(FILTER)
    expect(guard.cacheMode(FRESH)).toBe('default')
  })

  it('bypasses what the filter contains', async () => {
    const { guard } = await loaded()

    expect(guard.cacheMode(STALE)).toBe('no-cache')
    expect(guard.isStale(STALE)).toBe(true)
    expect(guard.cacheMode(FRESH)).toBe('default')
  })

  it('bypasses a stale key once', async () => {
    const { guard, resources } = await loaded()

    await guard.fetch(STALE, '/v1/db/Person/1')
    await guard.fetch(STALE, '/v1/db/Person/1', { headers: { Accept: 'application/json' } })

    expect(resources.map((init) => init?.cache)).toEqual(['no-cache', 'default'])
    expect(resources[1]?.headers).toEqual({ Accept: 'application/json' })
  })

  it('bypasses what this page wrote, until it revalidated it', async () => {
    const { guard } = await loaded(EMPTY)

    guard.wrote(FRESH)
    expect(guard.cacheMode(FRESH)).toBe('no-cache')

    await guard.fetch(FRESH, '/v1/db/Person/2')
    expect(guard.cacheMode(FRESH)).toBe('default')

    guard.wrote(FRESH)
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
  })

  it('goes on bypassing what may still be written, and once more afterwards', async () => {
    const { guard, advance } = await loaded(EMPTY)
    const read = () => guard.fetch(FRESH, '/v1/db/Person/2')
    const modes = () => [FRESH, '/db/Person/query?', '/db/Other/1'].map((key) => guard.cacheMode(key))

    guard.mayHaveWritten(FRESH)
    await read()
    const [atOnce, later] = [modes(), (advance(59), modes())]
    advance(0.9)
    await read()

    expect(atOnce).toEqual(['no-cache', 'no-cache', 'default'])
    expect(later).toEqual(atOnce)
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
  })

  it('is not told that it may by an answer to another write', async () => {
    const { guard } = await loaded(EMPTY)

    guard.mayHaveWritten(FRESH)
    guard.wrote(FRESH)
    await guard.fetch(FRESH, '/v1/db/Person/2')

    expect(guard.cacheMode(FRESH)).toBe('no-cache')
  })

  it('remembers the last of many writes, and bypasses what the others may have been once', async () => {
    const { guard, answer, advance } = await loaded(EMPTY)
    const keys = Array.from({ length: 10_001 }, (_, i) => `/db/Many/${i}`)

    keys.forEach((key) => guard.wrote(key))
    const modes = ['/db/Many/0', '/db/Many/10000', '/db/Other/1'].map((key) => guard.cacheMode(key))
    await guard.fetch('/db/Other/1', '/v1/db/Other/1')
    const afterRead = guard.cacheMode('/db/Other/1')
    advance(2)
    const loading = guard.reload()
    await answer(EMPTY)
    await loading

    expect(modes).toEqual(['no-cache', 'no-cache', 'no-cache'])
    expect(afterRead).toBe('default')
    expect(['/db/Many/0', '/db/Other/2'].map((key) => guard.cacheMode(key))).toEqual(['default', 'default'])
  })

  it('does not take a read that began before a write for a revalidation', async () => {
    const { guard } = await loaded()

    const reading = guard.fetch(STALE, '/v1/db/Person/1')
    guard.wrote(STALE)
    await reading

    expect(guard.cacheMode(STALE)).toBe('no-cache')
  })

  it('reloads once the filter is older than the bound, and bypasses everything meanwhile', async () => {
    const { guard, advance, answer, asked } = await loaded()

    advance(60)
    expect(guard.cacheMode(FRESH)).toBe('default')
    expect(asked()).toBe(1)

    advance(0.001)
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    expect(asked()).toBe(2)

    await answer(EMPTY)
    expect(guard.cacheMode(FRESH)).toBe('default')
    expect(guard.cacheMode(STALE)).toBe('default')
  })

  it('bypasses everything while a reload is under way, also within the bound', async () => {
    const { guard, answer } = await loaded()

    const loading = guard.reload()
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    await answer(FILTER)
    await loading

    expect(guard.cacheMode(FRESH)).toBe('default')
  })

  it('loads another filter behind one that is under way, which may be from before a write, for all who ask', async () => {
    const { guard, answer, asked } = guardOf()
    const isOver = vi.fn()

    const first = guard.reload()
    const others = Promise.all([guard.reload(), guard.reload()]).then(isOver)
    await answer(FILTER)
    await first
    expect(isOver).not.toHaveBeenCalled()
    await answer(EMPTY)
    await others

    expect(asked()).toBe(2)
    expect(guard.isStale(STALE)).toBe(false)
  })

  it('promises no more than the filter that was asked', async () => {
    let arrive: (response: Response) => void = () => {}
    let now = 0
    const guard = new StalenessGuard({
      url: '/v1/bloomfilter',
      now: () => now,
      fetch: async (url) =>
        url === '/v1/bloomfilter' ? Response.json(EMPTY) : new Promise((resolve) => (arrive = resolve)),
    })
    await guard.reload()
    now = 30_000

    const reading = guard.read(FRESH, FRESH)
    await guard.reload()
    arrive(new Response('{}', { headers: { Age: '59' } }))

    expect((await reading).boundSeconds).toBe(31)
  })

  it('loads a filter for a read with a shorter bound, without which others go on', async () => {
    const { guard, advance, answer, asked, resources } = await loaded(EMPTY)
    advance(10)

    await guard.read(FRESH, FRESH, {}, { boundSeconds: 0.5 })
    expect(asked()).toBe(1)
    await guard.read(FRESH, FRESH, {}, { boundSeconds: 5 })
    expect(asked()).toBe(2)
    expect(guard.cacheMode('/db/Person/3')).toBe('default')
    await answer(EMPTY)
    await guard.read(FRESH, FRESH, {}, { boundSeconds: 5 })

    expect(resources.map((init) => init?.cache)).toEqual(['no-cache', 'no-cache', 'default'])
  })

  it('counts the age of a filter from its request', async () => {
    const { guard, advance, answer } = guardOf()
    expect(guard.filterAgeSeconds).toBe(Infinity)

    const loading = guard.reload()
    advance(50)
    await answer(FILTER)
    await loading

    expect(guard.filterAgeSeconds).toBe(50)
  })

  it('forgets revalidations with the next filter, which may show a later change', async () => {
    const { guard, answer } = await loaded()
    await guard.fetch(STALE, '/v1/db/Person/1')

    const loading = guard.reload()
    await answer(FILTER)
    await loading

    expect(guard.cacheMode(STALE)).toBe('no-cache')
  })

  it('keeps writes and revalidations that the filter under way may not know', async () => {
    const { guard, answer } = await loaded()

    const loading = guard.reload()
    guard.wrote('/db/Person/during')
    await guard.fetch(STALE, '/v1/db/Person/1')
    await answer(FILTER)
    await loading

    expect(guard.cacheMode('/db/Person/during')).toBe('no-cache')
    expect(guard.cacheMode(STALE)).toBe('default')
  })

  it('remembers a write until a filter has come that cannot be from before it', async () => {
    const { guard, answer, advance } = await loaded(EMPTY)
    const reload = async () => {
      const loading = guard.reload()
      await answer(EMPTY)
      await loading
    }
    advance(5)
    guard.wrote(FRESH)

    advance(1)
    await reload()
    expect(guard.cacheMode(FRESH), 'a shared cache may keep a filter for a second').toBe('no-cache')

    advance(0.001)
    await reload()
    expect(guard.cacheMode(FRESH)).toBe('default')
  })

  it('does not count a revalidation that a reload has overtaken', async () => {
    let arrive: (response: Response) => void = () => {}
    const guard = new StalenessGuard({
      url: '/v1/bloomfilter',
      fetch: async (url) =>
        url === '/v1/bloomfilter' ? Response.json(FILTER) : new Promise((resolve) => (arrive = resolve)),
    })
    await guard.reload()
    const reading = guard.fetch(STALE, '/v1/db/Person/1')

    await guard.reload()
    arrive(new Response('{}'))
    await reading

    expect(guard.cacheMode(STALE)).toBe('no-cache')
  })

  it('bypasses everything after a failed reload, and tries again after a pause', async () => {
    const { guard, advance, answer, asked, onError } = guardOf()
    guard.cacheMode(FRESH)
    await answer({ status: 503, reason: 'Unavailable', message: 'starting' }, 503)

    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(ServerError))
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    expect(asked()).toBe(1)

    advance(1)
    expect(guard.cacheMode(FRESH)).toBe('no-cache')
    expect(asked()).toBe(2)
  })

  it('tells who asked for a reload why it failed', async () => {
    const { guard, answer } = guardOf()

    const loading = guard.reload()
    const failure = expect(loading).rejects.toMatchObject({ status: 503, reason: 'Unavailable' })
    await answer({ reason: 'Unavailable', message: 'starting' }, 503)

    await failure
  })
})

describe('StalenessGuard with a filter of another answer', () => {
  const HEADERS = new Headers({ Date: 'Sat, 21 Nov 2026 12:00:00 GMT' })

  it('needs to load none', () => {
    const { guard, asked } = guardOf()

    guard.adopt(FILTER, HEADERS, guard.now())

    expect([guard.cacheMode(STALE), guard.cacheMode(FRESH)]).toEqual(['no-cache', 'default'])
    expect(asked()).toBe(0)
  })

  it('does not let one that was asked for earlier take its place', async () => {
    const { guard, advance, answer } = guardOf()
    const loading = guard.reload()
    advance(1)

    guard.adopt(EMPTY, HEADERS, guard.now())
    await answer(FILTER)
    await loading

    expect(guard.isStale(STALE)).toBe(false)
    expect(guard.filterAgeSeconds).toBe(0)
  })

  it('remembers what it wrote when the filter may be from before that', () => {
    const { guard, advance } = guardOf()
    guard.wrote(FRESH)
    advance(0.5)

    guard.adopt(EMPTY, HEADERS, guard.now())

    expect(guard.cacheMode(FRESH)).toBe('no-cache')
  })

  it('loads none for reads that take any copy, however old it is', async () => {
    const { guard, advance, asked, resources } = guardOf()
    guard.adopt(FILTER, HEADERS, guard.now())
    advance(1000)

    await guard.read(FRESH, FRESH, {}, { consistency: 'any' })
    await guard.read(STALE, STALE, {}, { consistency: 'any' })

    expect(resources.map((init) => init?.cache)).toEqual(['default', 'no-cache'])
    expect(asked()).toBe(0)
  })
})
