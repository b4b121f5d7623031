import { describe, expect, it } from 'vitest'
import document from '../../../schema/openapi.json' with { type: 'json' }
import { snippetsOf } from '../src/api/snippets'
import { matching, operationsIn, type Spec } from '../src/api/spec'

const operations = operationsIn(document as unknown as Spec)
const operation = (id: string) => operations.find((each) => each.id === id)!

describe('the API', () => {
  it('is what the document says, without what is still to come', () => {
    expect(operation('query')).toMatchObject({ method: 'GET', path: '/db/{bucket}/query', hasBody: false })
    expect(operations.map(({ tag }) => tag)).not.toContain('later')
    expect(operations.length).toBeGreaterThan(50)
  })

  it('is found by words', () => {
    expect(matching(operations, 'count POST').map(({ id }) => id)).toContain('countByBody')
    expect(matching(operations, 'nothing like that')).toEqual([])
    expect(matching(operations, '')).toEqual(operations)
  })

  it('is asked by curl and fetch, with the class filled in', () => {
    const { curl, fetch } = snippetsOf(operation('update'), 'http://h', 'logs.AppLog')

    expect(curl).toContain(`curl -X POST 'http://h/v1/db/logs.AppLog/<oid>'`)
    expect(curl).toContain(`-d '{ … }'`)
    expect(fetch).toContain(`method: 'POST'`)
  })

  it('is asked with a filter where it takes one', () => {
    expect(snippetsOf(operation('query'), 'http://h', 'Todo').curl).toContain(
      `'http://h/v1/db/Todo/query?q=%7B%7D'`,
    )
  })

  it.each([
    ['query', `db.bucket('Todo').find(`],
    ['login', 'db.users.login('],
    ['connect', `connect('http://h')`],
  ])('is asked by the SDK for %s', (id, call) => {
    expect(snippetsOf(operation(id), 'http://h', 'Todo').sdk).toContain(call)
  })

  it('says nothing of the SDK where it has no method', () => {
    expect(snippetsOf(operation('createIndex'), 'http://h', 'Todo').sdk).toBeUndefined()
  })
})
