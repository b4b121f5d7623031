import { describe, expect, it } from 'vitest'
import filterVectors from '../../schema/vectors/bloom-filter.json' with { type: 'json' }
import hashVectors from '../../schema/vectors/murmur3.json' with { type: 'json' }
import { BloomFilter, ProtocolError } from '../src/index.js'
import { murmur3, positions } from '../src/caching/sketch.js'

describe('murmur3', () => {
  it.each(hashVectors)('$name', ({ given, expect: expected }) => {
    expect(murmur3(given.text, given.seed)).toBe(expected)
  })
})

describe('positions', () => {
  it.each(filterVectors.positions)('$name', ({ given, expect: expected }) => {
    expect(positions(given.key, given.m, given.h)).toEqual(expected)
  })
})

describe('BloomFilter', () => {
  it.each(filterVectors.filters)('finds every key: $name', ({ given, expect: message }) => {
    const filter = new BloomFilter(message)

    expect(given.keys.filter((key) => !filter.contains(key))).toEqual([])
  })

  it('does not find what was not added', () => {
    const filter = new BloomFilter({ m: 64, h: 3, b: 'AAgIAAICIIA=' })

    expect(filter.contains('/db/Person/2')).toBe(false)
  })

  it('takes bytes that were not sent as zero', () => {
    const filter = new BloomFilter({ m: 14401, h: 4, b: '' })

    expect(filter.contains('/db/Person/1')).toBe(false)
  })

  it('refuses what is no filter', () => {
    expect(() => new BloomFilter({ m: 8, h: 1, b: '?' })).toThrow(ProtocolError)
    expect(() => new BloomFilter({ m: 8, h: 1, b: 'AAA=' })).toThrow(ProtocolError)
  })
})
