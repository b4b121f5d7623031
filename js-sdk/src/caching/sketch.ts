import { ProtocolError } from '../errors.js'
import type { FilterMessage } from '../wire.js'

const C1 = 0xcc9e2d51
const C2 = 0x1b873593

/**
Returns MurmurHash3 (x86, 32 bit), unsigned, over the low byte of each UTF-16 code unit. For ASCII
that is plain MurmurHash3.
*/
export function murmur3(text: string, seed: number): number {
  const tailStart = text.length & ~3
  let hash = seed
  for (let i = 0; i < tailStart; i += 4) {
    hash = (Math.imul(rotateLeft(hash ^ scramble(lowBytes(text, i, i + 4)), 13), 5) + 0xe6546b64) | 0
  }
  return avalanche(hash ^ scramble(lowBytes(text, tailStart, text.length)) ^ text.length)
}

/** Returns the positions of a key in a filter of `bits` bits with `hashes` hash functions. */
export function positions(key: string, bits: number, hashes: number): number[] {
  const h1 = murmur3(key, 0)
  const h2 = murmur3(key, h1)
  return Array.from({ length: hashes }, (_, i) => (h1 + i * h2) % bits)
}

/**
A set of keys that may answer "contained" for a key that is not, never the other way round.
Immutable.

@example
```ts
new BloomFilter({ m: 64, h: 3, b: 'AAgIAAICIIA=' }).contains('/db/Person/1') // true
```
*/
export class BloomFilter {
  readonly #bits: number
  readonly #hashes: number
  readonly #bytes: Uint8Array

  /** @throws {ProtocolError} if `b` is not Base64 or has more bytes than the filter */
  constructor(message: FilterMessage) {
    this.#bits = message.m
    this.#hashes = message.h
    this.#bytes = decode(message.b)
    if (this.#bytes.length > Math.ceil(message.m / 8)) {
      throw new ProtocolError('The Bloom filter is longer than it says')
    }
  }

  /** Returns whether the key may be in the set; false is certain. */
  contains(key: string): boolean {
    return positions(key, this.#bits, this.#hashes).every((position) => this.#isSet(position))
  }

  /** Trailing zero bytes are not sent. */
  #isSet(position: number): boolean {
    return ((this.#bytes[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0
  }
}

function decode(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch (cause) {
    throw new ProtocolError('The Bloom filter is not Base64', { cause })
  }
}

function lowBytes(text: string, from: number, to: number): number {
  let bytes = 0
  for (let i = to - 1; i >= from; i--) {
    bytes = (bytes << 8) | (text.charCodeAt(i) & 0xff)
  }
  return bytes
}

function scramble(block: number): number {
  return Math.imul(rotateLeft(Math.imul(block, C1), 15), C2)
}

function rotateLeft(value: number, distance: number): number {
  return (value << distance) | (value >>> (32 - distance))
}

function avalanche(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
