import type { View } from '../app/route'
import type { Column } from './columns'
import { filterIn } from './filter'
import { sortIn } from './query'

/** What every object has besides what the table shows. */
const METADATA = ['version', 'acl', 'createdAt']

/** Fields that a view names and the class does not have (any more). */
export function missingFields({ filter, sort }: View, columns: readonly Column[]): readonly string[] {
  const known = new Set([...METADATA, ...columns.map(({ path }) => path)])
  const named = [...fieldsIn(parsed(filter)), sortIn(sort).path].map((path) => path.split('.')[0] ?? '')
  return [...new Set(named)].filter((name) => name !== '' && !known.has(name))
}

/** The fields of a filter, also in what is joined by `$and`, `$or` and `$nor`. */
function fieldsIn(filter: unknown): readonly string[] {
  if (typeof filter !== 'object' || filter === null) {
    return []
  }
  return Object.entries(filter).flatMap(([name, value]) => {
    if (!name.startsWith('$')) return [name]
    return Array.isArray(value) ? value.flatMap(fieldsIn) : []
  })
}

function parsed(filter: string): unknown {
  try {
    return filterIn(filter)
  } catch {
    return undefined
  }
}
