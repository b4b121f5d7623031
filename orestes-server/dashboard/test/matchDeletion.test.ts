import { OutOfDateError, ServerError } from '@orestes/sdk'
import { describe, expect, it } from 'vitest'
import { deleteMatching, matchingNow } from '../src/data/matchDeletion'

const UNTIL = '2026-03-01T09:30:00.000Z'
const FILTER = { done: true }
const COUNTED = { $and: [FILTER, { updatedAt: { $not: { $gt: { $date: UNTIL } } } }] }

const outOfDate = new OutOfDateError(412, 'Object Out Of Date', 'no')
const denied = new ServerError(466, 'Permission Denied', 'not yours')

/** A server that finds these pages one after the other, and refuses to delete what a test names. */
function server(pages: readonly object[][], refuse: (id: string) => Error | undefined = () => undefined) {
  const asked: { readonly path: string; readonly body: unknown }[] = []
  const deleted: object[] = []
  const left = [...pages]
  const request = async (path: string, { body }: { readonly body?: unknown } = {}) => {
    asked.push({ path, body })
    return left.shift() ?? []
  }
  const bulk = async (operations: readonly { readonly delete: string }[]) => {
    deleted.push(...operations)
    return operations.map((each) => ({ error: refuse(each.delete) }))
  }
  const client = { request, bucket: () => ({ bulk }) } as unknown as Parameters<
    typeof deleteMatching
  >[0]['client']
  return { client, asked, deleted }
}

const signal = new AbortController().signal

/** What was asked for, wherever it stands. */
function filterIn({ path, body }: { readonly path: string; readonly body: unknown }): unknown {
  const q = new URL(path, 'http://any').searchParams.get('q')
  return q === null ? body : JSON.parse(q)
}

const begin = (
  client: ReturnType<typeof server>['client'],
  told: unknown[] = [],
  until: string | null = UNTIL,
) =>
  deleteMatching({
    client,
    bucket: 'Todo',
    filter: FILTER,
    matching: { count: 3, until },
    signal,
    tell: (progress) => told.push(progress),
  })

describe('what matches', () => {
  it('is counted at the moment of the last write of it', async () => {
    const { client, asked } = server([[{ _id: null, count: 3, until: UNTIL }]])

    expect(await matchingNow(client, 'Todo', FILTER, signal)).toMatchObject({ count: 3, until: UNTIL })
    expect(new URL(asked[0]!.path, 'http://any').searchParams.get('aggregate')).toBe(
      '{"_id":null,"count":{"$sum":1},"until":{"$max":"$updatedAt"}}',
    )
    expect(asked[0]?.body).toBe(FILTER)
  })

  it('is nothing where there is no group', async () => {
    expect(await matchingNow(server([[]]).client, 'Todo', FILTER, signal)).toEqual({ count: 0, until: null })
  })
})

describe('a deletion of what matches', () => {
  it('goes on behind the last object until there is none, in the versions that it meets', async () => {
    const { client, asked, deleted } = server([
      [{ '/db/Todo/a': 1 }, { '/db/Todo/b': 7 }],
      [{ '/db/Todo/c': 2 }],
    ])
    const told: unknown[] = []

    const deletion = await begin(client, told)

    expect(deletion).toEqual({ gone: 3, changed: 0, refused: 0, reason: '' })
    expect(deleted).toEqual([
      { delete: '/db/Todo/a', ifMatch: 1 },
      { delete: '/db/Todo/b', ifMatch: 7 },
      { delete: '/db/Todo/c', ifMatch: 2 },
    ])
    expect(told).toHaveLength(2)
    expect(asked.map(filterIn)).toEqual([
      COUNTED,
      { $and: [COUNTED, { id: { $gt: '/db/Todo/b' } }] },
      { $and: [COUNTED, { id: { $gt: '/db/Todo/c' } }] },
    ])
  })

  it('by a filter that is too long for a URL takes ids and versions from the objects', async () => {
    const { client, asked, deleted } = server([[{ id: '/db/Todo/a', version: 3, text: 'tea' }]])
    const filter = { text: 'x'.repeat(3000) }
    const matching = { count: 1, until: UNTIL }

    await deleteMatching({ client, bucket: 'Todo', filter, matching, signal, tell: () => {} })

    expect(deleted).toEqual([{ delete: '/db/Todo/a', ifMatch: 3 }])
    expect(asked.map(({ path }) => path.includes('eager'))).toEqual([false, false])
  })

  it('leaves what others change meanwhile, and tells what is refused', async () => {
    const { client } = server([[{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }]], (id) =>
      id === 'a' ? outOfDate : id === 'd' ? undefined : denied,
    )

    expect(await begin(client)).toEqual({ gone: 1, changed: 1, refused: 2, reason: 'not yours' })
  })

  it('of objects without a time takes no others', async () => {
    const { client, asked } = server([])

    await begin(client, [], null)

    expect(filterIn(asked[0]!)).toEqual({ $and: [FILTER, { updatedAt: null }] })
  })

  it('tells how far it came when a request fails', async () => {
    const told: unknown[] = []
    const { client } = server([[{ a: 1 }], [{ b: 1 }]], (id) => {
      if (id === 'b') throw new Error('gone away')
      return undefined
    })

    await expect(begin(client, told)).rejects.toThrow('gone away')
    expect(told).toEqual([{ gone: 1, changed: 0, refused: 0, reason: '' }])
  })
})
