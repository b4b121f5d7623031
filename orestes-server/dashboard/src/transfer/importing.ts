import { ServerError, type Client } from '@orestes/sdk'
import { messageOf } from '../server/messages'
import { AtOnce } from './atOnce'
import type { Delimiter } from './csv'
import type { Format } from './exporting'
import type { Field } from './fields'
import { idsFor } from './newIds'
import {
  CsvRows,
  isBad,
  JsonRows,
  type BadRow,
  type GoodRow,
  type ImportRow,
  type RowReader,
} from './rowReaders'
import { textOf } from './text'

/** What becomes of rows whose object is there. */
export type Existing = 'replace' | 'leave' | 'refuse'

/** How far an import has come. */
export interface Imported {
  /** Of the file. */
  readonly bytes: number
  readonly stored: number
  /** Of rows whose object was there, and was left as it is. */
  readonly left: number
  readonly refused: number
  /** The first of the refused rows, with why. */
  readonly problems: readonly BadRow[]
}

export const MOST_PROBLEMS = 100

/** What one request takes. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2 ** 19

/** Requests that are under way at the same time: while one waits for the disk the next is read and the one after it sent. */
const MOST_REQUESTS = 4

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

/** How a file is to be understood. */
export interface Understanding {
  readonly file: File
  readonly format: Format
  /** Of CSV; undefined if the file is to tell. */
  readonly delimiter: Delimiter | undefined
  readonly existing: Existing
}

export function readerOf(
  { file, format, delimiter, existing }: Understanding,
  bucket: string,
  fields: readonly Field[],
): RowReader {
  const newId = idsFor(bucket, file)
  return format === 'json'
    ? new JsonRows(newId)
    : new CsvRows({ fields, newId, delimiter, isReplacing: existing === 'replace' })
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
  readonly existing: Existing
  readonly signal: AbortSignal
  readonly tell: (imported: Imported) => void
}

/** Rows that go with one request. */
class Batch {
  readonly rows: GoodRow[] = []
  #characters = 0

  isFullFor({ json }: GoodRow): boolean {
    return this.rows.length >= BATCH_ROWS || this.#characters + json.length > BATCH_CHARACTERS
  }

  add(row: GoodRow): void {
    this.rows.push(row)
    this.#characters += row.json.length
  }
}

/** What the server says of an object that it does not store. */
interface Failure {
  readonly id: string | null
  readonly status: number
  readonly error: string
}

/** Of an object that is there although it must not be. */
const IS_THERE = 412

/** Stores the rows of a file, some at a time, with several requests at once. What was stored stays when it is cancelled, or fails. */
export class Import {
  readonly #options: ImportOptions
  readonly #requests = new AtOnce(MOST_REQUESTS)
  readonly #problems: BadRow[] = []
  /** Those that take the place of what is there, and those that must not. */
  #batches = { replacing: new Batch(), making: new Batch() }
  /** Ids of rows that are in a batch, or on their way: what is stored at the same time has no order. */
  readonly #ids = new Set<string>()
  #bytes = 0
  #stored = 0
  #left = 0
  #refused = 0

  constructor(options: ImportOptions) {
    this.#options = options
  }

  async run(): Promise<Imported> {
    try {
      await this.#storeAll()
    } finally {
      // what is told last is how far it came
      await this.#requests.settle()
      this.#tell()
    }
    return this.#imported()
  }

  async #storeAll(): Promise<void> {
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
    await this.#sendAll()
  }

  async #take(rows: readonly ImportRow[]): Promise<void> {
    for (const row of rows) {
      if (isBad(row)) this.#refuse(row)
      else await this.#add(row)
    }
  }

  async #add(row: GoodRow): Promise<void> {
    // the later one of two has to come later
    if (this.#ids.has(row.id)) await this.#sendAll()
    const kind = row.isNamed && this.#options.existing === 'replace' ? 'replacing' : 'making'
    if (this.#batches[kind].isFullFor(row)) await this.#send(kind)
    this.#batches[kind].add(row)
    this.#ids.add(row.id)
  }

  /** Ends with everything stored that was taken until now. */
  async #sendAll(): Promise<void> {
    await this.#send('replacing')
    await this.#send('making')
    await this.#requests.end()
  }

  async #send(kind: 'replacing' | 'making'): Promise<void> {
    const { rows } = this.#batches[kind]
    this.#batches[kind] = new Batch()
    if (rows.length === 0) return
    await this.#requests.begin(async () => {
      await this.#store(rows, kind === 'making')
      rows.forEach(({ id }) => this.#ids.delete(id))
    })
  }

  /** A request that is refused as a whole is tried in halves, until the row is found that is to blame. */
  async #store(rows: readonly GoodRow[], isMaking: boolean): Promise<void> {
    try {
      this.#took(rows, await this.#put(rows, isMaking))
    } catch (error) {
      if (!(error instanceof ServerError) || !TRY_APART.includes(error.status)) throw error
      const [only] = rows
      if (rows.length === 1 && only !== undefined) {
        this.#refuse({ number: only.number, problem: messageOf(error) })
        return
      }
      const middle = Math.ceil(rows.length / 2)
      await this.#store(rows.slice(0, middle), isMaking)
      await this.#store(rows.slice(middle), isMaking)
    }
    this.#tell()
  }

  async #put(rows: readonly GoodRow[], isMaking: boolean): Promise<readonly Failure[]> {
    const { client, bucket, signal } = this.#options
    return (await client.request(`/db/${encodeURIComponent(bucket)}`, {
      method: 'PUT',
      body: `[${rows.map(({ json }) => json).join(',')}]`,
      headers: { 'Content-Type': 'application/json', ...(isMaking && { 'If-None-Match': '*' }) },
      signal,
    })) as readonly Failure[]
  }

  #took(rows: readonly GoodRow[], failures: readonly Failure[]): void {
    const byId = new Map(rows.map((row) => [row.id, row]))
    failures.forEach((failure) => this.#failed(byId.get(failure.id ?? ''), failure))
    this.#stored += rows.length - failures.length
  }

  #failed(row: GoodRow | undefined, { status, error }: Failure): void {
    const number = row?.number ?? 0
    if (status !== IS_THERE) {
      this.#refuse({ number, problem: error })
    } else if (row?.isNamed && this.#options.existing === 'refuse') {
      this.#refuse({ number, problem: `There is ${row.id} already` })
    } else {
      this.#left++
    }
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
      left: this.#left,
      refused: this.#refused,
      problems: [...this.#problems].sort((a, b) => a.number - b.number),
    }
  }
}
