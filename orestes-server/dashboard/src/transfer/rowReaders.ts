import { InputError, jsonIn } from '../server/values'
import { CsvReader, DELIMITERS, delimiterIn, type CsvCell, type Delimiter } from './csv'
import { isSetByServer, jsonOf, type Field } from './fields'
import { membersOf, Splitter } from './jsonText'

/** An object to be stored: JSON with an id, and which row of the file it comes from. */
export interface GoodRow {
  readonly number: number
  readonly id: string
  /** Whether the file says which; else the id was made up for the row. */
  readonly isNamed: boolean
  readonly json: string
}

/** A row that stands for no object. */
export interface BadRow {
  readonly number: number
  readonly problem: string
}

export type ImportRow = GoodRow | BadRow

export function isBad(row: ImportRow): row is BadRow {
  return 'problem' in row
}

/** Makes rows of a file's text, as it comes piece by piece. What is wrong with all of the file is thrown as an {@link InputError}. */
export interface RowReader {
  push(text: string): ImportRow[]
  end(): ImportRow[]
  /** Columns of the file that the class does not have, and that are left out. */
  readonly leftOut: readonly string[]
  /** Absent where there is none, and as long as it is not known. */
  readonly delimiter?: Delimiter | undefined
}

/** What the object of a row is called that comes without a name; the same whenever the file is read. */
export type NewId = (row: number) => string

/** Objects of a JSON array; each stays the text that it is, but for an id if it has none. */
export class JsonRows implements RowReader {
  readonly leftOut: readonly string[] = []
  readonly #splitter = new Splitter()
  readonly #newId: NewId
  #number = 0

  constructor(newId: NewId) {
    this.#newId = newId
  }

  push(text: string): ImportRow[] {
    return this.#splitter.push(text).map((json) => this.#row(json))
  }

  end(): ImportRow[] {
    this.#splitter.end()
    return []
  }

  #row(json: string): ImportRow {
    const number = ++this.#number
    try {
      const object = jsonIn(json)
      if (typeof object !== 'object' || object === null || Array.isArray(object)) {
        throw new InputError('This is no object')
      }
      const { id } = object as { readonly id?: unknown }
      if (id === undefined || id === null) return this.#named(number, json)
      if (typeof id !== 'string') throw new InputError('The id has to be a text')
      return { number, id, isNamed: true, json }
    } catch (error) {
      return { number, problem: (error as Error).message }
    }
  }

  #named(number: number, json: string): GoodRow {
    const id = this.#newId(number)
    return { number, id, isNamed: false, json: objectOf(membersOf(json).set('id', JSON.stringify(id))) }
  }
}

interface CsvOptions {
  readonly fields: readonly Field[]
  readonly newId: NewId
  /** Undefined if the file is to tell. */
  readonly delimiter: Delimiter | undefined
  /** Whether objects take the place of those that are there. */
  readonly isReplacing: boolean
}

/** So much of a file tells the delimiter, if it has no end of a line. */
const BEGINNING = 2 ** 16

/** Rows of a CSV file, whose first one names the columns. Values become what the types of the class ask for. */
export class CsvRows implements RowReader {
  readonly leftOut: string[] = []
  delimiter: Delimiter | undefined
  readonly #options: CsvOptions
  #reader: CsvReader | undefined
  /** What has come of the file as long as its delimiter is not known. */
  #beginning = ''
  /** By column; undefined for one that is left out. */
  #columns: readonly (Field | undefined)[] | undefined
  #missing: readonly string[] = []
  #number = 0

  constructor(options: CsvOptions) {
    this.#options = options
    this.delimiter = options.delimiter
  }

  push(text: string): ImportRow[] {
    if (this.#reader !== undefined) return this.#rows(this.#reader.push(text))
    this.#beginning += text
    const isEnough = this.delimiter !== undefined || /[\r\n]/.test(text) || this.#beginning.length > BEGINNING
    return isEnough ? this.#begin() : []
  }

  end(): ImportRow[] {
    const rows = this.#reader === undefined ? this.#begin() : []
    return [...rows, ...this.#rows(this.#reader?.end() ?? [])]
  }

  #begin(): ImportRow[] {
    this.delimiter ??= delimiterIn(this.#beginning)
    this.#reader = new CsvReader(this.delimiter)
    return this.#rows(this.#reader.push(this.#beginning))
  }

  #rows(all: readonly CsvCell[][]): ImportRow[] {
    const [first, ...others] = all
    if (this.#columns !== undefined || first === undefined) {
      return all.map((cells) => this.#row(cells))
    }
    this.#columns = this.#head(first)
    return others.map((cells) => this.#row(cells))
  }

  #head(names: readonly CsvCell[]): (Field | undefined)[] {
    const trimmed = names.map((name) => (name ?? '').trim())
    const twice = trimmed.find((name, i) => name !== '' && trimmed.indexOf(name) !== i)
    if (twice !== undefined) {
      throw new InputError(`The column ${twice} is there twice`)
    }
    const { fields } = this.#options
    const columns = trimmed.map((name) => fields.find((field) => field.name === name))
    if (columns.every((column) => column === undefined)) {
      throw new InputError(
        `The first row has to name columns, with a ${this.#delimiterName()} between them, such as ${fields.map(({ name }) => name).join(this.delimiter)}`,
      )
    }
    this.#missing = fields.filter((field) => !columns.includes(field)).map(({ name }) => name)
    this.leftOut.push(...trimmed.filter((name, i) => columns[i] === undefined && !isSetByServer(name)))
    return columns
  }

  #row(cells: readonly CsvCell[]): ImportRow {
    const number = ++this.#number
    const columns = this.#columns ?? []
    try {
      if (cells.length !== columns.length) {
        throw new InputError(`It has ${cells.length} values for ${columns.length} columns`)
      }
      const members = new Map<string, string>()
      cells.forEach((cell, i) => {
        const column = columns[i]
        if (column !== undefined) members.set(column.name, jsonOf(cell, column))
      })
      return this.#object(number, members)
    } catch (error) {
      return { number, problem: (error as Error).message }
    }
  }

  #object(number: number, members: Map<string, string>): GoodRow {
    const given = JSON.parse(members.get('id') ?? 'null') as string | null
    // one that is there would lose what it has in them, and without an acl its privacy
    if (given !== null && this.#options.isReplacing && this.#missing.length > 0) {
      throw new InputError(
        `With an id it would replace all of an object, and the file has no column ${this.#missing.join(', ')}`,
      )
    }
    const id = given ?? this.#options.newId(number)
    return { number, id, isNamed: given !== null, json: objectOf(members.set('id', JSON.stringify(id))) }
  }

  #delimiterName(): string {
    return (this.delimiter && DELIMITERS.get(this.delimiter)) ?? ''
  }
}

/** An object by its members, whose values are JSON. */
function objectOf(members: ReadonlyMap<string, string>): string {
  return `{${Array.from(members, ([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}
