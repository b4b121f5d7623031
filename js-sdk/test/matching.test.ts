import { describe, expect, it } from 'vitest'
import vectors from '../../schema/vectors/filters.json' with { type: 'json' }
import { inOrder, matches } from '../src/optimistic/matching.js'

interface Vector {
  readonly name: string
  readonly given: { readonly filter: object; readonly document: object }
  readonly expect: boolean
}

const VECTORS: readonly Vector[] = vectors

/** Operators that the client evaluates; all others need the server. */
const DECIDED = /^\$(and|or|nor|eq|ne|in|nin|gt|gte|lt|lte)$/

/** Returns a document in the server's JSON, where a number is a number. */
function asGiven(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asGiven)
  const [[key, member] = ['', ''], ...more] = Object.entries(value)
  if (more.length === 0 && /^\$number/.test(key)) return JSON.parse(JSON.stringify(Number(member)))
  if (more.length === 0 && key === '$date') return member
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asGiven(each)]))
}

/**
Returns whether a filter has only supported operators and JSON values, and no path leads into a
list.
*/
function isSimple(filter: object, document: object): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    if (key.startsWith('$')) {
      return DECIDED.test(key) && (condition as object[]).every((each) => isSimple(each, document))
    }
    const isPlain = typeof condition !== 'object' || condition === null || Array.isArray(condition)
    const operands = isPlain ? [condition] : Object.values(condition as object)
    const operators = isPlain ? [] : Object.keys(condition as object)
    return (
      operators.every((each) => DECIDED.test(each)) &&
      !/\{/.test(JSON.stringify(operands)) &&
      !/\[/.test(JSON.stringify(document))
    )
  })
}

describe('a filter of the shared vectors', () => {
  it.each(VECTORS)('$name', ({ given, expect: expected }) => {
    const found = matches(given.filter, asGiven(given.document) as object)

    if (isSimple(given.filter, given.document)) expect(found).toBe(expected)
    else expect([expected, undefined]).toContain(found)
  })

  it('is decided here in a good part of them', () => {
    const decided = VECTORS.filter(({ given }) => isSimple(given.filter, given.document))

    expect(VECTORS.length).toBeGreaterThan(100)
    expect(decided.length).toBeGreaterThan(20)
  })
})

describe('what cannot be known without the type of a field', () => {
  const at = (createdAt: string) => ({ createdAt })
  it.each([
    [{ createdAt: '2020-01-01T00:00:00Z' }, at('2020-01-01T00:00:00.000Z'), undefined],
    [{ createdAt: '2020-01-01T00:00:00.000Z' }, at('2020-01-01T00:00:00.000Z'), true],
    [{ createdAt: { $gt: '2020-01-01T00:00:00Z' } }, at('2020-01-01T00:00:00.500Z'), undefined],
    [{ createdAt: { $gt: '2020-01-01T00:00:00.000Z' } }, at('2020-01-02T00:00:00.000Z'), true],
    [{ createdAt: { $gt: '2020' } }, at('2020-01-02T00:00:00.000Z'), true],
    [{ tags: ['a', { $date: '2020-01-01T00:00:00Z' }] }, { tags: ['a'] }, undefined],
    [{ tags: ['a', 'b'] }, { tags: ['a', 'b'] }, true],
    [{ tags: null }, { tags: ['a'] }, false],
  ])('%j of %j', (filter, object, expected) => {
    expect(matches(filter, object)).toBe(expected)
  })
})

it('orders texts by their code points', () => {
  const texts = ['\u{1f600}', 'a', '\ufffd', '', 'ab', '\ud7ff', '\u{1f601}', 'b', '\ue000']
  const objects = texts.map((text) => ({ text }))

  const sorted = objects.sort(inOrder({ text: 1 } as object)).map(({ text }) => text)

  const points = (text: string) =>
    Array.from(text, (each) => each.codePointAt(0)!.toString(16).padStart(6, '0')).join()
  expect(sorted).toEqual([...texts].sort((a, b) => (points(a) < points(b) ? -1 : 1)))
})
