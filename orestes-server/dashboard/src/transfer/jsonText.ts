import { InputError } from '../server/values'

/** An object has at most 16 MB; what is longer is none. */
const LONGEST = 17 * 2 ** 20

const SPACE = /^[ \t\r\n]*$/

/**
Splits the text of a JSON array, or of an object, at the commas of its top level, as the text comes piece by piece. Nothing is parsed:
numbers keep all of their digits, which a browser would not know after `JSON.parse`.
*/
export class Splitter {
  readonly #opening: string
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isOver = false
  /** Whether a comma asks for another part. */
  #needsPart = false
  /** The part that is not over yet, as far as it has come. */
  #begun = ''

  /** @param opening of what is split: `[` or `{` */
  constructor(opening: '[' | '{' = '[') {
    this.#opening = opening
  }

  /**
  The parts that are over now.

  @throws {InputError} if this is not the beginning of an array, or a part is too long
  */
  push(text: string): string[] {
    const parts: string[] = []
    let start = 0
    for (let i = 0; i < text.length; i++) {
      const c = text[i] as string
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (c === '\\') this.#isEscaped = true
        else if (c === '"') this.#isInString = false
      } else if (this.#depth === 0) {
        this.#outside(c)
        start = i + 1
      } else if (c === '"') {
        this.#isInString = true
      } else if (c === '[' || c === '{') {
        this.#depth++
      } else if (c === ']' || c === '}') {
        this.#depth--
        if (this.#depth === 0) {
          this.#end(text.slice(start, i), parts)
          start = i + 1
        }
      } else if (c === ',' && this.#depth === 1) {
        this.#part(text.slice(start, i), parts)
        this.#needsPart = true
        start = i + 1
      }
    }
    this.#begun += text.slice(start)
    if (this.#begun.length > LONGEST) {
      throw new InputError('An object is larger than 16 MB, which none can be')
    }
    return parts
  }

  /** @throws {InputError} if more was to come */
  end(): void {
    if (!this.#isOver) {
      throw new InputError('The text ends in the middle')
    }
  }

  /** Before the beginning, or after the end. */
  #outside(c: string): void {
    if (SPACE.test(c)) return
    if (this.#isOver || c !== this.#opening) {
      throw new InputError(
        this.#isOver ? 'There is something behind the end of the array' : 'This is no JSON array of objects',
      )
    }
    this.#depth = 1
  }

  #part(rest: string, parts: string[]): void {
    const part = (this.#begun + rest).trim()
    this.#begun = ''
    if (part === '') {
      throw new InputError('Between two commas there is nothing')
    }
    parts.push(part)
  }

  #end(rest: string, parts: string[]): void {
    if (this.#needsPart || !SPACE.test(this.#begun + rest)) this.#part(rest, parts)
    this.#begun = ''
    this.#isOver = true
  }
}

const MEMBER = /^("(?:[^"\\]|\\[^])*")\s*:\s*/

/** The members of an object, whose values stay text as they are. */
export function membersOf(object: string): Map<string, string> {
  const splitter = new Splitter('{')
  const members = splitter.push(object).map((part): [string, string] => {
    const [beginning = '', key = '""'] = MEMBER.exec(part) ?? []
    return [JSON.parse(key) as string, part.slice(beginning.length)]
  })
  splitter.end()
  return new Map(members)
}
