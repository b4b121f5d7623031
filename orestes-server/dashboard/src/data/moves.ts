/** A cell of the table. */
export interface Position {
  readonly row: number
  readonly column: number
}

/** How many rows and columns there are. */
export interface Size {
  readonly rows: number
  readonly columns: number
}

const PAGE = 12

/** Where a key leads to from a cell; undefined if it leads nowhere. */
export function moved(
  { row, column }: Position,
  key: string,
  isControl: boolean,
  size: Size,
): Position | undefined {
  const at = (r: number, c: number): Position => ({
    row: Math.max(0, Math.min(r, size.rows - 1)),
    column: Math.max(0, Math.min(c, size.columns - 1)),
  })
  switch (key) {
    case 'ArrowUp':
      return at(row - 1, column)
    case 'ArrowDown':
      return at(row + 1, column)
    case 'ArrowLeft':
      return at(row, column - 1)
    case 'ArrowRight':
      return at(row, column + 1)
    case 'PageUp':
      return at(row - PAGE, column)
    case 'PageDown':
      return at(row + PAGE, column)
    case 'Home':
      return at(isControl ? 0 : row, 0)
    case 'End':
      return at(isControl ? size.rows : row, size.columns)
    default:
      return undefined
  }
}
