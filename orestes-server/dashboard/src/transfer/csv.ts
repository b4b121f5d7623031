import { InputError } from '../server/values'

/** A value in a row; null where nothing is between two commas, which is not the same as an empty text in quotes. */
export type CsvCell = string | null

/** What spreadsheets take for a formula, or for the beginning of one behind a line end; full-width forms are folded by some. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** What keeps a spreadsheet from calculating a text: an apostrophe before it, which it does not show. */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** The text that was guarded; any other as it is. */
export function unguarded(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}

/** What is between values. */
export type Delimiter = ',' | ';' | '\t'

/** Those that there may be, by what they are called. */
export const DELIMITERS: ReadonlyMap<Delimiter, string> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
])

/** What stands most often between the names of the columns: the one of a file's beginning that nobody has told. A comma where there is none. */
export function delimiterIn(beginning: string): Delimiter {
  const [head = ''] = beginning.replace(/"[^"]*"?/g, '').split(/[\r\n]/, 1)
  const count = (delimiter: Delimiter) => head.split(delimiter).length
  return [...DELIMITERS.keys()].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** A row with its line end (RFC 4180). */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: CsvCell): string {
  if (cell === null) {
    return ''
  }
  const isPlain = cell !== '' && !/[",\r\n]|^\s|\s$/.test(cell)
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`
}

type Place = 'start' | 'plain' | 'quoted' | 'afterQuote'

/** Longer rows are a mistake, mostly a quote that nobody closed. */
const LONGEST = 17 * 2 ** 20

/** Reads rows (RFC 4180, also with other delimiters and with line ends of `\n` alone) as the text comes piece by piece. */
export class CsvReader {
  readonly #delimiter: Delimiter
  #row: CsvCell[] = []
  #cell = ''
  #place: Place = 'start'
  #hasReturn = false
  #characters = 0

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter
  }

  /**
  The rows that are over now.

  @throws {InputError} if quotes are not where they may be, or a row does not end
  */
  push(text: string): CsvCell[][] {
    const rows: CsvCell[][] = []
    for (const c of text) {
      const isSecondHalf = this.#hasReturn && c === '\n'
      this.#hasReturn = false
      if (!isSecondHalf) this.#read(c, rows)
    }
    return rows
  }

  /** The last row, if no line end is behind it. */
  end(): CsvCell[][] {
    if (this.#place === 'quoted') {
      throw new InputError('The text ends within quotes')
    }
    if (this.#row.length === 0 && this.#place === 'start') {
      return []
    }
    const rows: CsvCell[][] = []
    this.#endRow(rows)
    return rows
  }

  #read(c: string, rows: CsvCell[][]): void {
    if (++this.#characters > LONGEST) {
      throw new InputError('A row is longer than 16 MB: is a quote missing?')
    }
    if (this.#place === 'quoted') {
      if (c === '"') this.#place = 'afterQuote'
      else this.#cell += c
    } else if (c === '"') {
      this.#quote()
    } else if (c === this.#delimiter) {
      this.#endCell()
    } else if (c === '\n' || c === '\r') {
      this.#hasReturn = c === '\r'
      this.#endRow(rows)
    } else if (this.#place === 'afterQuote') {
      throw new InputError(`Behind a quoted value there is ${c}`)
    } else {
      this.#place = 'plain'
      this.#cell += c
    }
  }

  #quote(): void {
    if (this.#place === 'plain') {
      throw new InputError(`A quote is in a value that is not quoted: ${this.#cell.slice(0, 40)}`)
    }
    // two of them in quotes stand for one
    if (this.#place === 'afterQuote') this.#cell += '"'
    this.#place = 'quoted'
  }

  #endCell(): void {
    this.#row.push(this.#place === 'start' ? null : this.#cell)
    this.#cell = ''
    this.#place = 'start'
  }

  #endRow(rows: CsvCell[][]): void {
    this.#endCell()
    // an empty line is no row
    if (this.#row.length > 1 || this.#row[0] !== null) rows.push(this.#row)
    this.#row = []
    this.#characters = 0
  }
}
