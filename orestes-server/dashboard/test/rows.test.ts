import { describe, expect, it, vi } from 'vitest'
import { MOST_PAGES, type Pageable, PAGE_SIZE, type Row, Rows } from '../src/data/rows'

const TOTAL = 1000

const rowOf = (index: number, version = 1): Row => ({ id: `/db/Todo/${index}`, version, acl: null })

/** A class of {@link TOTAL} objects, of which an answer has at most so many; requests are answered when a test says so. */
function fakeClass(most = PAGE_SIZE) {
  const asked: {
    offset: number
    signal: AbortSignal | undefined
    answer: (version?: number) => void
    fail: (error: Error) => void
  }[] = []
  let total = TOTAL
  const list = (offset: number, limit: number, signal?: AbortSignal) =>
    new Promise<{ data: Row[] }>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
      const answer = (version?: number) => {
        const length = Math.max(0, Math.min(limit, most, total - offset))
        resolve({ data: Array.from({ length }, (_, i) => rowOf(offset + i, version)) })
      }
      asked.push({ offset, signal, answer, fail: reject })
    })
  const count = vi.fn(() => Promise.resolve({ data: total }))
  const query = {
    count,
    offset: (offset: number) => ({
      limit: (limit: number) => ({
        list: ({ signal }: { signal?: AbortSignal } = {}) => list(offset, limit, signal),
      }),
    }),
  }
  return { query: query as unknown as Pageable, asked, count, setTotal: (next: number) => (total = next) }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('rows', () => {
  it('are loaded where they are looked at, each page once', async () => {
    const { query, asked } = fakeClass()
    const rows = new Rows(query)
    const listener = vi.fn()
    rows.subscribe(listener)
    rows.show(0, 20)
    rows.show(5, 30)
    asked[0]?.answer()
    await settled()

    rows.show(90, 110)

    expect(asked.map(({ offset }) => offset)).toEqual([0, PAGE_SIZE])
    expect(rows.row(42)?.id).toBe('/db/Todo/42')
    expect(rows.row(142)).toBeUndefined()
    expect(rows.total).toBe(TOTAL)
    expect(listener).toHaveBeenCalled()
  })

  it('are counted when the first of them are there, and once', async () => {
    const { query, asked, count } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    rows.show(0, 110)
    await settled()
    expect(count).not.toHaveBeenCalled()

    asked.forEach(({ answer }) => answer())
    await settled()

    expect(count).toHaveBeenCalledTimes(1)
    expect(rows.total).toBe(TOTAL)
  })

  it('are counted anew with those that are loaded anew', async () => {
    const { query, asked, count, setTotal } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    asked[0]?.answer()
    await settled()
    setTotal(TOTAL + 1)

    rows.refresh()
    asked[1]?.answer()
    await settled()

    expect(count).toHaveBeenCalledTimes(2)
    expect(rows.total).toBe(TOTAL + 1)
  })

  it('that went away while they were counted are counted when somebody comes back', async () => {
    const { query, asked, count } = fakeClass()
    count.mockReturnValueOnce(new Promise(() => {}))
    const rows = new Rows(query)
    const leave = rows.subscribe(() => {})
    asked[0]?.answer()
    await settled()
    leave()

    rows.subscribe(() => {})
    await settled()

    expect(rows.total).toBe(TOTAL)
  })

  it('that are scrolled past are not waited for, and loaded when somebody comes back', async () => {
    const { query, asked } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    rows.show(500, 520)
    rows.show(900, 920)

    expect(asked.map(({ offset, signal }) => [offset, signal?.aborted])).toEqual([
      [0, true],
      [500, true],
      [900, false],
    ])
    rows.show(500, 520)
    await settled()
    asked.at(-1)?.answer()
    await settled()
    expect(rows.row(500)?.id).toBe('/db/Todo/500')
    expect(rows.error).toBeUndefined()
  })

  it('stay in sight while they are loaded anew', async () => {
    const { query, asked, setTotal } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    asked[0]?.answer()
    await settled()
    setTotal(7)

    rows.refresh()
    expect(rows.row(0)?.version).toBe(1)
    asked[1]?.answer(2)
    await settled()

    expect(rows.row(0)?.version).toBe(2)
    expect(rows.total).toBe(7)
  })

  it('show what was written in its place', async () => {
    const { query, asked } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    asked[0]?.answer()
    await settled()

    rows.put(rowOf(3, 9))

    expect(rows.row(3)?.version).toBe(9)
    expect(rows.row(4)?.version).toBe(1)
  })

  it('are found by their ids where they are loaded', async () => {
    const { query, asked } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    rows.show(300, 320)
    asked.at(-1)?.answer()
    await settled()

    expect(rows.indexOf('/db/Todo/342')).toBe(342)
    expect(rows.indexOf('/db/Todo/42')).toBeUndefined()
  })

  it('tell why there are none', async () => {
    const failing = { list: () => Promise.reject(new Error('no')) }
    const query = {
      count: () => Promise.resolve({ data: 1 }),
      offset: () => ({ limit: () => failing }),
    }
    const rows = new Rows(query as unknown as Pageable)
    rows.subscribe(() => {})
    await settled()

    expect(rows.error?.message).toBe('no')
  })

  it('tell of a page that failed as long as it is looked at, whatever others bring', async () => {
    const { query, asked } = fakeClass()
    const rows = new Rows(query)
    rows.subscribe(() => {})
    rows.show(90, 110)
    asked[1]?.fail(new Error('page 1'))
    await settled()
    asked[0]?.answer()
    await settled()
    expect(rows.error?.message).toBe('page 1')

    rows.show(0, 20)
    expect(rows.error).toBeUndefined()

    rows.show(90, 110)
    asked.at(-1)?.answer()
    await settled()
    expect(rows.error).toBeUndefined()
  })

  it('of a page that the server gives in parts come one after the other', async () => {
    const { query, asked, setTotal } = fakeClass(40)
    setTotal(130)
    const rows = new Rows(query)
    rows.subscribe(() => {})
    rows.show(90, 110)

    for (let i = 0; i < 5; i++) {
      await settled()
      asked[i]?.answer()
    }
    await settled()

    expect(asked.map(({ offset }) => offset).sort((a, b) => a - b)).toEqual([0, 40, 80, 100])
    expect([rows.row(99)?.id, rows.row(129)?.id]).toEqual(['/db/Todo/99', '/db/Todo/129'])
  })

  it('are asked for once more where the count is out of date, and no more', async () => {
    const { query, asked, count, setTotal } = fakeClass()
    count.mockResolvedValueOnce({ data: TOTAL })
    setTotal(7)
    const rows = new Rows(query)
    rows.subscribe(() => {})
    asked[0]?.answer()
    await settled()
    asked[1]?.answer()
    await settled()

    expect(asked.map(({ offset }) => offset)).toEqual([0, 7])
  })

  it('that are far from what is looked at are forgotten, but for one that has to stay', async () => {
    const { query, asked, setTotal } = fakeClass()
    setTotal(MOST_PAGES * PAGE_SIZE * 2)
    const rows = new Rows(query)
    rows.subscribe(() => {})
    for (let page = 0; page < MOST_PAGES + 3; page++) {
      rows.show(page * PAGE_SIZE, page * PAGE_SIZE + 20, PAGE_SIZE + 5)
      asked.at(-1)?.answer()
      await settled()
    }

    const kept = [0, 1, 2, 3, 4].map((page) => rows.row(page * PAGE_SIZE) !== undefined)
    expect(kept).toEqual([false, true, false, false, true])
    expect(rows.row((MOST_PAGES + 2) * PAGE_SIZE)).toBeDefined()
    rows.show(0, 20)
    expect(asked.at(-1)?.offset).toBe(0)
  })

  it('are not loaded for nobody', () => {
    const { query, asked } = fakeClass()
    const rows = new Rows(query)
    const leave = rows.subscribe(() => {})
    leave()

    expect(asked[0]?.signal?.aborted).toBe(true)
  })
})
