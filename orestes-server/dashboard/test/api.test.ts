import { describe, expect, it } from 'vitest'
import document from '../../../schema/openapi.json' with { type: 'json' }
import { firstBody } from '../src/api/bodies'
import { textMatching } from '../src/api/pattern'
import { firstValues, requestOf } from '../src/api/request'
import { sampleOf } from '../src/api/sample'
import { sdkOf } from '../src/api/sdkSnippet'
import { isAskedFirst } from '../src/api/sending'
import { curlOf, fetchOf } from '../src/api/snippets'
import { matching, operationsIn, type Spec } from '../src/api/spec'
import type { ClassInfo } from '../src/server/schema'

const operations = operationsIn(document as unknown as Spec)
const operation = (id: string) => operations.find((each) => each.id === id)!

const HOST = 'http://h'

function classOf(
  name: string,
  fields: { readonly [name: string]: string | object },
  more: object = {},
): ClassInfo {
  const described = Object.entries(fields).map(([field, type]) => [
    field,
    { name: field, ...(typeof type === 'string' ? { type: `/db/${type}` } : type) },
  ])
  return { class: `/db/${name}`, name, fields: Object.fromEntries(described), acl: {}, ...more }
}

const limited = (type: string, limits: { readonly [limit: string]: string }) => ({
  type: `/db/${type}`,
  metadata: Object.fromEntries(Object.entries(limits).map(([key, value]) => [`orestes.${key}`, value])),
})

const todo = classOf('Todo', { text: 'String', done: 'Boolean' })

function asked(id: string, values = {}, bucket = todo) {
  const all = { ...firstValues(operation(id), bucket.name, [bucket]), ...values }
  const request = requestOf(operation(id), all, firstBody(operation(id), bucket.name, [bucket]))
  return {
    request,
    sdk: sdkOf(operation(id), request, all, HOST),
    curl: curlOf(request, HOST, false),
    fetch: fetchOf(request, HOST),
  }
}

describe('the API', () => {
  it('is what the document says, without what is still to come', () => {
    expect(operation('query')).toMatchObject({ method: 'GET', path: '/db/{bucket}/query' })
    expect(operation('queryByBody').contentType).toBe('application/json')
    expect(operations.map(({ tag }) => tag)).not.toContain('later')
    expect(operations.length).toBeGreaterThan(50)
  })

  it('is found by words', () => {
    expect(matching(operations, 'count POST').map(({ id }) => id)).toContain('countByBody')
    expect(matching(operations, 'nothing like that')).toEqual([])
    expect(matching(operations, '')).toEqual(operations)
  })

  it('has a body for everything that takes one in JSON', () => {
    const taking = operations.filter(({ contentType }) => contentType === 'application/json')

    const without = taking.filter((each) => firstBody(each, 'Todo', [todo]) === '')

    expect(without.map(({ id }) => id)).toEqual([])
  })

  it('is asked by curl and fetch, with class, sample and body filled in', () => {
    const { curl, fetch } = asked('update', {}, classOf('logs.AppLog', { text: 'String' }))

    expect(curl).toContain(`curl -X POST 'http://h/v1/db/logs.AppLog/sample'`)
    expect(curl).toContain(`"text": "text"`)
    expect(fetch).toContain(`method: 'POST'`)
    expect(() => new Function(`return async (token) => { ${fetch} }`)).not.toThrow()
  })

  it('is asked for what a class has, and names what is missing', () => {
    expect(new URL(`${HOST}${asked('query').request.path}`).searchParams.get('q')).toBe('{"text":"text"}')
    expect(asked('preparedQueryResult').request.path).toContain('/query/<qid>/result')
    expect(asked('preparedQueryResult', { qid: '7', values: 'a=1&b=x' }).request.path).toBe(
      '/query/7/result?a=1&b=x',
    )
  })

  it('sends texts with quotes as they are', () => {
    const request = { method: 'POST', path: '/x', headers: {}, body: `{"a":"it's \\"so\\""}` }

    expect(curlOf(request, HOST, false)).toContain(`'{"a":"it'\\''s \\"so\\""}'`)
    expect(fetchOf({ ...request, body: `it's "so" \\` }, HOST)).toContain(`body: 'it\\'s "so" \\\\',`)
  })

  it.each([
    ['query', {}, `db.bucket('Todo').find({"text":"text"}).list()`],
    ['query', { aggregate: '{"_id":null}' }, '.aggregate({"_id":null})'],
    ['query', { sort: '{"text":1}', start: '2', count: '3' }, '.sort({"text":1}).offset(2).limit(3).list()'],
    ['query', { hinted: 'true' }, `db.response('/db/Todo/query?`],
    ['events', {}, `.live().subscribe(console.log)`],
    ['events', { aggregate: '{"_id":null}' }, `.liveAggregate({"_id":null}).subscribe(console.log)`],
    ['login', {}, `db.users.login('ann', 'correct horse')`],
    ['changePassword', {}, `db.users.changePassword('ann', 'correct horse', 'battery staple')`],
    ['connect', {}, `connect('http://h')`],
    ['updateField', {}, `update('sample', {\n  "$set": {\n    "text": "text"`],
    ['commitTransaction', { tid: '1' }, `tx.bucket('Todo').update('sample', {`],
    ['createIndex', {}, `db.response('/index/Todo', {`],
  ])('is asked by the SDK for %s with %j', (id, values, call) => {
    expect(asked(id, values).sdk).toContain(call)
  })

  it('asks before it sends anything but what is known to be harmless', () => {
    const silent = operations.filter((each) => each.method !== 'GET' && !isAskedFirst(each))

    expect(silent.map(({ method }) => method)).not.toContain('DELETE')
    expect(silent.every((each) => !/replace|import|password|schema/i.test(each.id))).toBe(true)
    expect(isAskedFirst(operation('truncate'))).toBe(true)
    expect(isAskedFirst(operation('insert'))).toBe(false)
  })
})

describe('a sample', () => {
  const address = classOf('Address', { street: 'String', inner: 'Address' }, { embedded: true })
  const sample = (fields: { readonly [name: string]: string | object }, more: object = {}) =>
    sampleOf('Thing', [classOf('Thing', fields, more), address, todo])

  it('has a value of its type for each field', () => {
    expect(sample({ a: 'Integer', b: 'DateTime', c: 'Todo', d: 'Address', e: 'GeoPoint' })).toEqual({
      id: '/db/Thing/sample',
      a: 1,
      b: '2026-01-31T09:30:00.000Z',
      c: '/db/Todo/sample',
      d: { street: 'text', inner: { street: 'text', inner: { street: 'text' } } },
      e: { latitude: 53.55, longitude: 9.99 },
    })
  })

  it('has collections of them', () => {
    const types = { a: 'collection.List[/db/String]', b: 'collection.Map[/db/String,/db/Integer]' }

    expect(sample(types)).toMatchObject({ a: ['text'], b: { key1: 1 } })
    expect(sample({ a: limited('collection.Set[/db/String]', { minLength: '2' }) })['a']).toEqual([
      'text',
      'text2',
    ])
  })

  it('has the fields of the class above it', () => {
    expect(sample({ a: 'Integer' }, { superClass: '/db/Todo' })).toMatchObject({ text: 'text', a: 1 })
  })

  it.each([
    ['Integer', { min: '5' }, 5],
    ['Integer', { max: '-3' }, -3],
    ['Double', { min: '2.5', max: '3' }, 2.5],
    ['Date', { min: '2030-01-01' }, '2030-01-01'],
    ['String', { minLength: '6' }, 'text..'],
    ['String', { maxLength: '2' }, 'te'],
    ['String', { enum: '["draft","done"]' }, 'draft'],
    ['String', { pattern: '^[a-z]+@[a-z]+$' }, 'a@a'],
  ])('of %s obeys %j', (type, limits, value) => {
    expect(sample({ field: limited(type, limits) })['field']).toBe(value)
  })

  it.each(['^[A-Z]{3}-\\d{4}$', '(a|b)c?', '^\\w+(\\.\\w+)*$', '[^a]', '^(?:x|y){2,}$', '.', '^$', '[._]+'])(
    'is found for the pattern %s',
    (pattern) => {
      expect(textMatching(pattern, 0)).toMatch(new RegExp(pattern, 'u'))
    },
  )

  it('goes without a text where a pattern says too much', () => {
    expect(textMatching('^(?=b)c$', 0)).toBeUndefined()
    expect(textMatching('^a{3}$', 5)).toBeUndefined()
    expect(textMatching('^a+$', 5)).toBe('aaaaa')
  })
})
