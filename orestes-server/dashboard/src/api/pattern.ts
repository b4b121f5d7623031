/** What stands for a class of characters. */
const ESCAPED: { readonly [letter: string]: string } = { d: '1', w: 'a', s: ' ', n: '\n', t: '\t' }
const ANCHORS = /^(\^|\$|\\[bBAzZ])/
const CANDIDATES = ['a', 'A', '1', '-', '_', ' ', 'é', '~']

/**
A short text that a regular expression matches: of alternatives the first, and of repetitions as few as a length asks for.

@param length of the text, at least
@returns undefined where it takes more than that to find one, as with look-arounds and references back
*/
export function textMatching(pattern: string, length: number): string | undefined {
  for (const repetitions of [0, length]) {
    const text = new Reader(pattern, repetitions).alternatives()
    if (text.length >= length && matches(pattern, text)) return text
  }
  return undefined
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

/** Reads a regular expression once, from left to right. */
class Reader {
  #rest: string
  /** How often what may be repeated without end is, at least. */
  readonly #repetitions: number

  constructor(pattern: string, repetitions: number) {
    this.#rest = pattern
    this.#repetitions = repetitions
  }

  alternatives(): string {
    const first = this.#sequence()
    while (this.#take(/^\|/)) this.#sequence()
    return first
  }

  #sequence(): string {
    let text = ''
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) text += this.#repeated()
    return text
  }

  #repeated(): string {
    const atom = this.#atom()
    const [least, most] = this.#quantifier()
    return atom.repeat(Math.min(most, Math.max(least, most > 1 ? this.#repetitions : 0)))
  }

  #atom(): string {
    if (this.#take(ANCHORS)) return ''
    if (this.#take(/^\((\?(:|<\w+>))?/)) {
      const inside = this.alternatives()
      this.#take(/^\)/)
      return inside
    }
    const set = this.#take(/^\[(\\.|[^\]\\])*\]/)
    if (set) return CANDIDATES.concat([...set]).find((each) => matches(`^${set}$`, each)) ?? ''
    const escaped = this.#take(/^\\./)
    if (escaped) return ESCAPED[escaped.charAt(1)] ?? escaped.charAt(1)
    return this.#take(/^[^]/u)!.replace('.', 'a')
  }

  #quantifier(): readonly [least: number, most: number] {
    const symbol = this.#take(/^([*+?]|\{\d+(,\d*)?\})\??/)
    if (symbol === undefined) return [1, 1]
    if (symbol.startsWith('?')) return [0, 1]
    if (symbol.startsWith('*')) return [0, Infinity]
    if (symbol.startsWith('+')) return [1, Infinity]
    const [least = '1', most = least] = symbol.replace(/[{}?]/g, '').split(',')
    return [Number(least), most === '' ? Infinity : Number(most)]
  }

  #take(part: RegExp): string | undefined {
    const found = part.exec(this.#rest)?.[0]
    this.#rest = this.#rest.slice(found?.length ?? 0)
    return found
  }
}
