import { ProtocolError } from '../errors.js'
import { type Row, toRow } from '../query/aggregate.js'
import { type Identified, isRecord, type Stored } from '../wire.js'
import type { Elements } from './follow.js'

export { follow } from './follow.js'
export { LiveHub } from './hub.js'

/** Objects: of a deleted one only the id is sent. */
export function objects<T extends object>(): Elements<Stored<T>> {
  return {
    narrow: (value) => {
      if (isRecord(value) && typeof value['id'] === 'string') return value as unknown as Stored<T>
      throw new ProtocolError('Not an object')
    },
    keyOf: ({ id }: Identified) => id,
    stateOf: ({ version }) => String(version),
  }
}

/** Rows of an aggregate. */
export const rows: Elements<Row> = {
  narrow: toRow,
  keyOf: ({ _id }) => JSON.stringify(_id),
  stateOf: (row) => JSON.stringify(row),
}
