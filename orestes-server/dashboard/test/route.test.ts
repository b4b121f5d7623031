import { expect, it } from 'vitest'
import { hrefOf, hrefOfObject, hrefOfUser, parseRoute } from '../src/app/route'

it.each([
  ['', 'data', undefined, undefined],
  ['#/schema', 'schema', undefined, undefined],
  ['#/data/logs.AppLog', 'data', 'logs.AppLog', undefined],
  ['#/data/Todo/a%2Fb', 'data', 'Todo', 'a/b'],
  ['#/nowhere/Todo', 'data', 'Todo', undefined],
  ['#/data/%', 'data', '%', undefined],
])('%s leads to page %s, class %s and object %s', (hash, page, bucket, key) => {
  expect(parseRoute(hash)).toMatchObject({ page, bucket, key, setupToken: null })
})

it('comes back to what an address was made of', () => {
  const view = { filter: '{"text":{"$ne":"a & b?"}}', sort: '-text', columns: 'id,text' }

  expect(parseRoute(hrefOf('data', 'Todo', 'ü/1', view))).toMatchObject({
    page: 'data',
    bucket: 'Todo',
    key: 'ü/1',
    ...view,
  })
})

it('names the user whose permissions are asked about', () => {
  expect(parseRoute(hrefOfUser('ann & bob'))).toMatchObject({ page: 'explain', user: 'ann & bob' })
})

it('finds the token of the link that a new server prints', () => {
  expect(parseRoute('#setup=abc-123_x').setupToken).toBe('abc-123_x')
})

it('keeps the view of a class while an object of it is open, and of no other', () => {
  const view = { filter: '{"done":true}', sort: '-text', columns: '' }

  expect(parseRoute(hrefOfObject('/db/Todo/a%2Fb', 'Todo', view))).toMatchObject({ key: 'a/b', ...view })
  expect(hrefOfObject('/db/User/1', 'Todo', view)).toBe('#/data/User/1')
})
