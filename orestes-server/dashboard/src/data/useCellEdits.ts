import { OutOfDateError } from '@orestes/sdk'
import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { messageOf } from '../server/messages'
import { parseValue } from '../server/values'
import type { Column } from './columns'
import type { Row } from './rows'

/** Somebody else was faster: what they wrote, and what was typed here. */
export interface Conflict {
  readonly column: Column
  readonly theirs: Row
  readonly mine: unknown
  /** Writes what was typed here upon what they wrote. */
  readonly overwrite: () => Promise<void>
  /** Shows what they wrote. */
  readonly keepTheirs: () => void
}

/** Edits of single cells, each under the condition that the object is as it was shown. */
export interface CellEdits {
  /** Returns what is wrong with the text; empty if it was written, or somebody has to decide about it. */
  readonly save: (row: Row, column: Column, text: string | null) => Promise<string>
  readonly conflict: Conflict | undefined
  readonly dismissConflict: () => void
}

/** @param wrote is told each object as it is now */
export function useCellEdits(bucket: string, wrote: (row: Row) => void): CellEdits {
  const { client } = useAdmin()
  const [conflict, setConflict] = useState<Conflict>()
  const write = async (row: Row, column: Column, value: unknown): Promise<void> => {
    const objects = client.bucket<{ [field: string]: unknown }>(bucket)
    const change = { $set: { [column.path]: value } }
    try {
      wrote(await objects.update(row.id, change, { ifMatch: row.version }))
      setConflict(undefined)
    } catch (error) {
      if (!(error instanceof OutOfDateError)) throw error
      const { data: theirs } = await objects.load(row.id)
      setConflict({
        column,
        theirs,
        mine: value,
        overwrite: () => write(theirs, column, value),
        keepTheirs: () => wrote(theirs),
      })
    }
  }
  const save = async (row: Row, column: Column, text: string | null): Promise<string> => {
    try {
      await write(row, column, parseValue(text, column.kind, column.type))
      return ''
    } catch (error) {
      return messageOf(error)
    }
  }
  return { save, conflict, dismissConflict: useCallback(() => setConflict(undefined), []) }
}
