import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connect } from '../../../js-sdk/dist/index.js'
import { startServer } from '../src/servers.js'

const texts = ({ data }) => data.map(({ text }) => text)

describe('queries', () => {
  let server
  let todos

  before(async () => {
    server = await startServer()
    todos = (await connect(server.url)).bucket('Todo')
    const days = [
      '2026-01-01T00:00:00Z',
      '2026-01-02T00:00:00Z',
      '2026-01-02T00:00:00Z',
      '2026-01-03T00:00:00Z',
    ]
    const drafts = ['a', 'b', 'c', 'd'].map((text, i) => ({
      id: text,
      text,
      priority: i,
      done: i % 2 === 0,
      due: days[i],
      tags: [text, 'all'],
    }))
    await todos.bulk(
      [...drafts, { id: 'e', text: 'e' }, { id: 'f', text: 'f' }].map((insert) => ({ insert })),
    )
  })

  after(() => server.stop())

  it('finds equal objects by filters and by conditions', async () => {
    const query = todos.find({ priority: { $gte: 1 } }).ascending('text')

    assert.deepEqual(texts(await query.list()), ['b', 'c', 'd'])
    assert.deepEqual(texts(await query.equal('done', true).list()), ['c'])
    assert.deepEqual(texts(await query.lessThan('priority', 3).notEqual('text', 'b').list()), ['c'])
    assert.deepEqual(texts(await todos.find().in('text', ['a', 'f']).descending('text').list()), ['f', 'a'])
    assert.deepEqual(texts(await todos.find().equal('tags', 'b').list()), ['b'])
    assert.deepEqual(texts(await todos.find().containsAll('tags', ['all', 'c']).list()), ['c'])
    assert.deepEqual(texts(await todos.find().isNull('priority').ascending('text').list()), ['e', 'f'])
    assert.deepEqual(texts(await todos.find().isNotNull('due').lessOrEqual('priority', 0).list()), ['a'])
    assert.deepEqual(texts(await todos.find().or({ text: 'a' }, { priority: 3 }).ascending('text').list()), [
      'a',
      'd',
    ])
    assert.deepEqual(texts(await todos.find().startsWith('text', 'a').list()), ['a'])
    assert.deepEqual(texts(await todos.find().startsWith('text', '.').list()), [])
    assert.deepEqual(texts(await todos.find().matches('text', '^[A-B]$', 'i').ascending('text').list()), [
      'a',
      'b',
    ])
  })

  it('accepts dates', async () => {
    const query = todos.find().greaterThan('due', new Date('2026-01-01T12:00:00Z'))

    assert.deepEqual(texts(await query.ascending('text').list()), ['b', 'c', 'd'])
  })

  it('counts, returns the first, skips and limits', async () => {
    const all = todos.find().ascending('text')

    assert.equal((await all.limit(2).count()).data, 6)
    assert.equal((await all.first()).data.text, 'a')
    assert.equal((await all.equal('text', 'none').first()).data, undefined)
    assert.deepEqual(texts(await all.offset(1).limit(2).list()), ['b', 'c'])
  })

  it('computes aggregates', async () => {
    const { data } = await todos.find({ priority: { $gte: 0 } }).aggregate({ _id: '$done', n: { $sum: 1 } })

    assert.deepEqual(data, [
      { _id: false, n: 2 },
      { _id: true, n: 2 },
    ])
  })

  it('sends a query that is too long for a URL as a body', async () => {
    const values = Array.from({ length: 500 }, (_, i) => `value ${i}`)
    const query = todos
      .find()
      .in('text', [...values, 'a', 'b'])
      .descending('text')
      .limit(1)

    assert.deepEqual(texts(await query.list()), ['b'])
    assert.equal((await query.count()).data, 2)
  })

  for (const [name, order] of Object.entries({
    'no field': {},
    'a number with unset values': { priority: 1 },
    'the same downwards': { priority: -1 },
    'a time with equal values': { due: -1, text: 1 },
    'the id downwards': { done: 1, id: -1 },
  })) {
    it(`pages through objects by ${name} as they are sorted`, async () => {
      const query = todos.find().sort(order)

      for (const size of [1, 2, 3, 10]) {
        const paged = []
        for await (const page of query.pages(size)) paged.push(...texts(page))
        assert.deepEqual(paged, texts(await query.list()))
      }
    })
  }

  it('pages from the offset to the limit', async () => {
    const paged = []
    for await (const page of todos.find().ascending('text').offset(1).limit(4).pages(3))
      paged.push(texts(page))

    assert.deepEqual(paged, [['b', 'c', 'd'], ['e']])
  })

  it('neither doubles nor leaves out objects with insertions and deletions between pages', async () => {
    const paged = []
    for await (const page of todos.find().ascending('text').pages(2)) {
      paged.push(...texts(page))
      if (paged.length === 2) {
        await todos.insert({ id: 'A', text: 'A' })
        await todos.delete('b')
      }
    }

    assert.deepEqual(paged, ['a', 'b', 'c', 'd', 'e', 'f'])
  })
})
