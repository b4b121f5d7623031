import { expect, it } from 'vitest'
import vectors from '../../schema/vectors/query-key.json' with { type: 'json' }
import { queryKey, type QueryParameters } from '../src/index.js'

it.each(vectors)('$name', ({ given: { bucket, ...query }, expect: expected }) => {
  expect(queryKey(bucket, query as QueryParameters)).toBe(expected)
})

it('needs nothing but the bucket', () => {
  expect(queryKey('Todo')).toBe('/db/Todo/query?')
})
