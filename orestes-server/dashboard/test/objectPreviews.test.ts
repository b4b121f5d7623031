import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mainFields } from '../src/data/mainFields'
import { ObjectPreviews } from '../src/data/objectPreviews'
import type { Row } from '../src/data/rows'
import type { ClassInfo } from '../src/server/schema'

const A = '/db/Todo/a'
const B = '/db/Todo/b'

const row = (id: string) => ({ id, version: 1 }) as Row

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Previews of objects that come when a test says so, or at once. */
function previewing({ isSlow = false } = {}) {
  const asked: { id: string; signal: AbortSignal; answer: (row: Row) => void; fail: (e: Error) => void }[] =
    []
  const previews = new ObjectPreviews<string>((id, signal) => {
    const loaded = new Promise<Row>((answer, fail) => asked.push({ id, signal, answer, fail }))
    if (!isSlow) asked.at(-1)?.answer(row(id))
    return loaded
  })
  return { previews, asked, kind: () => previews.shown()?.preview.kind }
}

const pass = (millis: number) => vi.advanceTimersByTimeAsync(millis)

describe('the preview of a reference', () => {
  it('is loaded and shown when the pointer has stayed', async () => {
    const { previews, asked, kind } = previewing({ isSlow: true })
    previews.enter(A, 'link', 'pointer')
    await pass(200)
    expect(asked).toEqual([])

    await pass(200)
    expect([asked.length, kind()]).toEqual([1, 'loading'])
    asked[0]?.answer(row(A))
    await pass(0)

    expect(previews.shown()).toMatchObject({
      id: A,
      anchor: 'link',
      isOfFocus: false,
      preview: { kind: 'found', object: { id: A } },
    })
  })

  it('is not asked for where the pointer crosses many', async () => {
    const { previews, asked } = previewing()
    for (let i = 0; i < 50; i++) {
      previews.enter(`/db/Todo/${i}`, `link ${i}`, 'pointer')
      await pass(100)
      previews.leave(`link ${i}`, 'pointer')
    }
    await pass(10_000)

    expect(asked).toEqual([])
  })

  it('stays while the pointer goes over to it, and goes a while after that has left', async () => {
    const { previews, kind } = previewing()
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    previews.leave('link', 'pointer')
    await pass(200)
    previews.enter(A, 'link', 'pointer')
    await pass(60_000)
    expect(kind()).toBe('found')

    previews.leave('link', 'pointer')
    await pass(200)
    expect(kind()).toBe('found')
    await pass(100)
    expect(kind()).toBeUndefined()
  })

  it('stays for the focus when the pointer leaves', async () => {
    const { previews, kind } = previewing()
    previews.enter(A, 'link', 'focus')
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    expect(previews.shown()?.isOfFocus).toBe(true)
    previews.leave('link', 'pointer')
    await pass(1000)
    expect(kind()).toBe('found')

    previews.leave('link', 'focus')
    await pass(1000)
    expect(kind()).toBeUndefined()
  })

  it('gives way to that of another reference', async () => {
    const { previews } = previewing()
    previews.enter(A, 'link', 'focus')
    await pass(400)
    previews.enter(B, 'other', 'pointer')
    await pass(200)
    expect(previews.shown()?.id).toBe(A)

    await pass(200)
    expect(previews.shown()?.id).toBe(B)
  })

  it('is not waited for when it is closed, whatever comes then', async () => {
    const { previews, asked, kind } = previewing({ isSlow: true })
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    previews.leave('link', 'pointer')
    await pass(400)
    expect(asked[0]?.signal.aborted).toBe(true)

    asked[0]?.answer(row(A))
    await pass(0)
    expect(kind()).toBeUndefined()
  })

  it('does not show an answer of the one before', async () => {
    const { previews, asked } = previewing({ isSlow: true })
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    previews.enter(B, 'other', 'pointer')
    await pass(400)
    asked[0]?.fail(new Error('late'))
    await pass(0)

    expect(previews.shown()).toMatchObject({ id: B, preview: { kind: 'loading' } })
  })

  it('says why there is none', async () => {
    const { previews, asked } = previewing({ isSlow: true })
    const error = new Error('gone')
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    asked[0]?.fail(error)
    await pass(0)

    expect(previews.shown()?.preview).toEqual({ kind: 'failed', error })
  })

  it('closes at once, and does not open again by itself', async () => {
    const { previews, kind } = previewing()
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    previews.close()
    expect(kind()).toBeUndefined()
    await pass(10_000)

    expect(kind()).toBeUndefined()
  })

  it('goes with its reference', async () => {
    const { previews, kind } = previewing()
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    previews.enter(B, 'other', 'pointer')
    previews.drop('link')
    expect(kind()).toBeUndefined()
    previews.drop('other')
    await pass(1000)

    expect(kind()).toBeUndefined()
  })

  it('is asked for once in a while, and again when something was written', async () => {
    const { previews, asked } = previewing()
    const look = async () => {
      previews.enter(A, 'link', 'pointer')
      await pass(400)
      previews.close()
    }
    await look()
    await look()
    expect(asked.length).toBe(1)
    previews.forget()
    await look()
    expect(asked.length).toBe(2)
    await pass(10_000)
    await look()
    expect(asked.length).toBe(3)
  })

  it('is kept of a bounded number of objects', async () => {
    const { previews, asked } = previewing()
    vi.spyOn(Date, 'now').mockReturnValue(0)
    for (let i = 0; i <= 101; i++) {
      previews.enter(`/db/Todo/${i % 101}`, 'link', 'pointer')
      await pass(400)
      previews.close()
    }
    vi.restoreAllMocks()

    expect(asked.filter(({ id }) => id === '/db/Todo/0').length).toBe(2)
    expect(asked.length).toBe(102)
  })

  it('tells of each change', async () => {
    const { previews } = previewing()
    const listener = vi.fn()
    const end = previews.subscribe(listener)
    previews.close()
    previews.enter(A, 'link', 'pointer')
    await pass(400)
    expect(listener).toHaveBeenCalledTimes(2)

    end()
    previews.close()
    expect(listener).toHaveBeenCalledTimes(2)
  })
})

describe('the main fields of an object', () => {
  const fields = (types: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { name, type: `/db/${type}` }]))
  const classes = [
    {
      name: 'Todo',
      class: '/db/Todo',
      acl: {},
      fields: fields({
        text: 'String',
        done: 'Boolean',
        next: 'Todo',
        big: 'Integer',
        tags: 'collection.List[/db/String]',
        due: 'DateTime',
        more: 'String',
        last: 'String',
      }),
    },
  ] as unknown as ClassInfo[]

  it('are the first that are set, in words', () => {
    const object = { id: A, version: 1, acl: {}, last: 'x', done: false, next: B, text: '' }
    const others = { big: 2 ** 53, tags: ['shop'], due: '2026-01-31T09:30:00.000Z', more: 'y' }
    expect(mainFields({ ...object, ...others } as unknown as Row, classes)).toEqual([
      ['done', 'false'],
      ['next', 'b'],
      ['big', `≈ ${2 ** 53}`],
      ['tags', '["shop"]'],
      ['due', '2026-01-31 09:30:00Z'],
      ['more', 'y'],
    ])
  })

  it('are cut where they are long', () => {
    const [[, text] = []] = mainFields({ ...row(A), text: 'x'.repeat(1000) } as Row, classes)
    expect(text).toBe(`${'x'.repeat(120)}…`)
  })

  it('are none of a class that nobody knows', () => {
    expect(mainFields({ ...row('/db/Gone/a'), text: 'x' } as Row, classes)).toEqual([])
  })
})
