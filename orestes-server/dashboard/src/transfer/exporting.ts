import type { Client } from '@orestes/sdk'
import { InputError } from '../server/values'
import { csvLine } from './csv'
import { cellsOf, type Field } from './fields'
import { Splitter } from './jsonText'
import type { Sink } from './sink'
import { textOf } from './text'

export type Format = 'json' | 'csv'

/** How far an export has come. */
export interface Exported {
  readonly objects: number
  readonly characters: number
}

/** A MongoDB filter. */
export type ExportFilter = { readonly [member: string]: unknown }

interface ExportOptions {
  readonly client: Pick<Client, 'response'>
  readonly bucket: string
  /** What objects have to match; undefined for all. */
  readonly filter?: ExportFilter | undefined
  readonly format: Format
  /** Columns of a CSV file. */
  readonly fields: readonly Field[]
  readonly sink: Sink
  readonly signal: AbortSignal
  readonly tell: (exported: Exported) => void
}

/** How many objects are asked for at once where there is a filter; servers may give fewer. */
const PAGE = 1000

/** Writes all objects of a class as the server streams them, or those that match a filter; nothing is left of one that fails or is cancelled. */
export async function exportClass(options: ExportOptions): Promise<Exported> {
  const { sink } = options
  try {
    const exported = await write(options)
    await sink.close()
    return exported
  } catch (error) {
    await sink.abort().catch(() => {})
    throw error
  }
}

async function write(options: ExportOptions): Promise<Exported> {
  const { filter, format, fields, sink, tell } = options
  const splitter = new Splitter()
  let objects = 0
  let characters = 0
  // spreadsheets take a file without a mark for one of another character set
  if (format === 'csv') await sink.write('\uFEFF' + csvLine(fields.map(({ name }) => name)))
  for await (const text of filter === undefined ? streamed(options) : paged(options, filter)) {
    const found = splitter.push(text)
    const written = format === 'json' ? text : found.map((json) => csvLine(cellsOf(json, fields))).join('')
    await sink.write(written)
    objects += found.length
    characters += written.length
    tell({ objects, characters })
  }
  splitter.end()
  return { objects, characters }
}

async function* streamed({ client, bucket, signal }: ExportOptions): AsyncGenerator<string> {
  const { body } = await client.response(`/db/${encodeURIComponent(bucket)}`, { signal })
  if (body === null) {
    throw new InputError('The server sent nothing')
  }
  yield* textOf(body, 'The connection ended in the middle of the export.', signal)
}

/** The text of one array with what matches: page by page, each of what comes behind the last object of the one before. */
async function* paged(
  { client, bucket, signal }: ExportOptions,
  filter: ExportFilter,
): AsyncGenerator<string> {
  const path = `/db/${encodeURIComponent(bucket)}/query?${new URLSearchParams({ sort: '{"id":1}', count: `${PAGE}` })}`
  let body = filter
  for (let opening = '['; ; opening = ',') {
    const response = await client.response(path, { method: 'POST', body, signal })
    const objects = new Splitter().push(await response.text())
    const last = objects.at(-1)
    if (last === undefined) return yield opening === '[' ? '[]' : ']'
    yield opening + objects.join(',')
    const { id } = JSON.parse(last) as { readonly id: string }
    body = { $and: [filter, { id: { $gt: id } }] }
  }
}
