import { InputError, jsonIn } from '../server/values'
import { CsvReader, type CsvCell } from './csv'
import { isSetByServer, jsonOf, type Field } from './fields'
import { membersOf, Splitter } from './jsonText'

/** An object to be stored: JSON with an id, and which row of the file it comes from. */
export interface GoodRow {
  readonly number: number
  readonly id: string
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
}

/** What an object is called that comes without a name. */
export type NewId = () => string

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
      return { number, id, json }
    } catch (error) {
      return { number, problem: (error as Error).message }
    }
  }

  #named(number: number, json: string): GoodRow {
    const id = this.#newId()
    return { number, id, json: objectOf(membersOf(json).set('id', JSON.stringify(id))) }
  }
}

/** Rows of a CSV file, whose first one names the columns. Values become what the types of the class ask for. */
export class CsvRows implements RowReader {
  readonly leftOut: string[] = []
  readonly #fields: readonly Field[]
  readonly #newId: NewId
  readonly #reader = new CsvReader()
  /** By column; undefined for one that is left out. */
  #columns: readonly (Field | undefined)[] | undefined
  #missing: readonly string[] = []
  #number = 0

  constructor(fields: readonly Field[], newId: NewId) {
    this.#fields = fields
    this.#newId = newId
  }

  push(text: string): ImportRow[] {
    return this.#rows(this.#reader.push(text))
  }

  end(): ImportRow[] {
    return this.#rows(this.#reader.end())
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
    const columns = trimmed.map((name) => this.#fields.find((field) => field.name === name))
    if (columns.every((column) => column === undefined)) {
      throw new InputError(
        `The first row has to name columns, separated by commas, such as ${this.#fields.map(({ name }) => name).join(',')}`,
      )
    }
    this.#missing = this.#fields.filter((field) => !columns.includes(field)).map(({ name }) => name)
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
    if (given !== null && this.#missing.length > 0) {
      throw new InputError(
        `With an id it would replace all of an object, and the file has no column ${this.#missing.join(', ')}`,
      )
    }
    const id = given ?? this.#newId()
    return { number, id, json: objectOf(members.set('id', JSON.stringify(id))) }
  }
}

/** An object by its members, whose values are JSON. */
function objectOf(members: ReadonlyMap<string, string>): string {
  return `{${Array.from(members, ([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}
