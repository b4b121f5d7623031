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

interface ExportOptions {
  readonly client: Pick<Client, 'response'>
  readonly bucket: string
  readonly format: Format
  /** Columns of a CSV file. */
  readonly fields: readonly Field[]
  readonly sink: Sink
  readonly signal: AbortSignal
  readonly tell: (exported: Exported) => void
}

/** Writes all objects of a class, as the server streams them; nothing is left of one that fails or is cancelled. */
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

async function write({
  client,
  bucket,
  format,
  fields,
  sink,
  signal,
  tell,
}: ExportOptions): Promise<Exported> {
  const { body } = await client.response(`/db/${encodeURIComponent(bucket)}`, { signal })
  if (body === null) {
    throw new InputError('The server sent nothing')
  }
  const splitter = new Splitter()
  let objects = 0
  let characters = 0
  // spreadsheets take a file without a mark for one of another character set
  if (format === 'csv') await sink.write('\uFEFF' + csvLine(fields.map(({ name }) => name)))
  for await (const text of textOf(body, 'The connection ended in the middle of the export.', signal)) {
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
