import { ServerError, type Client } from '@orestes/sdk'
import { messageOf } from '../server/messages'
import type { Format } from './exporting'
import type { Field } from './fields'
import {
  CsvRows,
  isBad,
  JsonRows,
  type BadRow,
  type GoodRow,
  type ImportRow,
  type NewId,
  type RowReader,
} from './rowReaders'
import { textOf } from './text'

/** How far an import has come. */
export interface Imported {
  /** Of the file. */
  readonly bytes: number
  readonly stored: number
  readonly refused: number
  /** The first of the refused rows, with why. */
  readonly problems: readonly BadRow[]
}

export const MOST_PROBLEMS = 100

/** What one request takes. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2 ** 19

const NO_TEXT = 'This file cannot be read, or is not text in UTF-8. Spreadsheets save that as “CSV UTF-8”.'

/** What a preview looks at. */
const PREVIEW_BYTES = 2 ** 16
const PREVIEW_ROWS = 5

/** What the server says of requests whose rows have to be tried apart. */
const TRY_APART: readonly number[] = [400, 413]

/** A file by its name; undefined if it is neither. */
export function formatOf(name: string): Format | undefined {
  const [, ending] = /\.(json|csv)$/i.exec(name) ?? []
  return ending?.toLowerCase() as Format | undefined
}

/** @param newId what objects without an id are called */
export function readerOf(
  format: Format,
  bucket: string,
  fields: readonly Field[],
  newId: NewId = () => `/db/${bucket}/${newKey()}`,
): RowReader {
  return format === 'json' ? new JsonRows(newId) : new CsvRows(fields, newId)
}

/** Pages that do not come over https have no `crypto.randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The first rows of a file, as they would be imported. */
export async function previewOf(
  file: Blob,
  reader: RowReader,
  signal: AbortSignal,
): Promise<readonly ImportRow[]> {
  const rows: ImportRow[] = []
  for await (const text of textOf(file.stream(), NO_TEXT, signal)) {
    rows.push(...reader.push(text.slice(0, PREVIEW_BYTES)))
    return file.size <= PREVIEW_BYTES ? first([...rows, ...reader.end()]) : first(rows)
  }
  return first([...rows, ...reader.end()])
}

function first(rows: readonly ImportRow[]): readonly ImportRow[] {
  return rows.slice(0, PREVIEW_ROWS)
}

interface ImportOptions {
  readonly client: Pick<Client, 'request'>
  readonly bucket: string
  readonly file: Blob
  readonly reader: RowReader
  readonly signal: AbortSignal
  readonly tell: (imported: Imported) => void
}

/** Stores the rows of a file, some at a time. What was stored stays when it is cancelled, or fails. */
export class Import {
  readonly #options: ImportOptions
  readonly #problems: BadRow[] = []
  #bytes = 0
  #stored = 0
  #refused = 0
  #batch: GoodRow[] = []
  #ids = new Set<string>()
  #characters = 0

  constructor(options: ImportOptions) {
    this.#options = options
  }

  async run(): Promise<Imported> {
    const { file, reader, signal } = this.#options
    const counted = file.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, out) => {
          this.#bytes += chunk.byteLength
          out.enqueue(chunk)
        },
      }),
    )
    for await (const text of textOf(counted, NO_TEXT, signal)) {
      await this.#take(reader.push(text))
      this.#tell()
    }
    await this.#take(reader.end())
    await this.#flush()
    this.#tell()
    return this.#imported()
  }

  async #take(rows: readonly ImportRow[]): Promise<void> {
    for (const row of rows) {
      if (isBad(row)) {
        this.#refuse(row)
      } else {
        // the server writes the objects of a request at once, so the later of two would not always win
        if (this.#ids.has(row.id) || this.#isFull(row)) await this.#flush()
        this.#batch.push(row)
        this.#ids.add(row.id)
        this.#characters += row.json.length
      }
    }
  }

  #isFull({ json }: GoodRow): boolean {
    return this.#batch.length >= BATCH_ROWS || this.#characters + json.length > BATCH_CHARACTERS
  }

  async #flush(): Promise<void> {
    const rows = this.#batch
    this.#batch = []
    this.#ids = new Set()
    this.#characters = 0
    if (rows.length > 0) await this.#store(rows)
  }

  /** A request that is refused as a whole is tried in halves, until the row is found that is to blame. */
  async #store(rows: readonly GoodRow[]): Promise<void> {
    try {
      await this.#send(rows)
    } catch (error) {
      if (!(error instanceof ServerError) || !TRY_APART.includes(error.status)) throw error
      const [only] = rows
      if (rows.length === 1 && only !== undefined) {
        this.#refuse({ number: only.number, problem: messageOf(error) })
        return
      }
      const middle = Math.ceil(rows.length / 2)
      await this.#store(rows.slice(0, middle))
      await this.#store(rows.slice(middle))
    }
    this.#tell()
  }

  async #send(rows: readonly GoodRow[]): Promise<void> {
    const { client, bucket, signal } = this.#options
    const failures = (await client.request(`/db/${encodeURIComponent(bucket)}`, {
      method: 'PUT',
      body: `[${rows.map(({ json }) => json).join(',')}]`,
      headers: { 'Content-Type': 'application/json' },
      signal,
    })) as readonly { readonly id: string | null; readonly error: string }[]
    const numbers = new Map(rows.map(({ id, number }) => [id, number]))
    failures.forEach(({ id, error }) => this.#refuse({ number: numbers.get(id ?? '') ?? 0, problem: error }))
    this.#stored += rows.length - failures.length
  }

  #refuse(row: BadRow): void {
    this.#refused++
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(row)
  }

  #tell(): void {
    this.#options.tell(this.#imported())
  }

  #imported(): Imported {
    return {
      bytes: this.#bytes,
      stored: this.#stored,
      refused: this.#refused,
      problems: [...this.#problems],
    }
  }
}
