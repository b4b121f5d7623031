import { fieldsOf, nameOf, shortType, type ClassInfo } from '../server/schema'

/** A field as a filter names it. */
export interface FilterField {
  /** Dotted where it leads into embedded objects. */
  readonly path: string
  /** As people read it. */
  readonly type: string
  /** Type of its single values, without the `/db/` before it: of a list that of its elements. */
  readonly single: string
  readonly isList: boolean
  /** Type of what is in a map, by any key. */
  readonly inMap: string | undefined
  /** The only values there are; none if there are others. */
  readonly allowed: readonly unknown[]
}

/** Of classes that embed others there may be very many paths. */
const MOST_FIELDS = 500

/** What a filter may name in objects of one class. */
export class FilterFields {
  readonly #bucket: string
  readonly #classes: readonly ClassInfo[]

  constructor(bucket: string, classes: readonly ClassInfo[]) {
    this.#bucket = bucket
    this.#classes = classes
  }

  /** Class of the objects that are embedded there; itself for an empty path. */
  embeddedAt(path: string): string | undefined {
    return path === '' ? this.#bucket : this.#embeddedIn(this.at(path))
  }

  isReference(field: FilterField): boolean {
    return this.#classes.some(({ name, embedded }) => name === field.single && embedded !== true)
  }

  /** The field at a path; none where the schema does not reach. */
  at(path: string): FilterField | undefined {
    return path
      .split('.')
      .reduce<
        FilterField | undefined
      >((within, name, i) => (i === 0 ? this.#member(this.#bucket, name) : within && this.#inside(within, name)), undefined)
  }

  /** The fields of what is embedded at a path, and those of what is embedded in them, by their paths from there. */
  below(path: string): readonly FilterField[] {
    const found: FilterField[] = []
    for (const field of this.#members(this.embeddedAt(path))) {
      if (found.length >= MOST_FIELDS) break
      const inner = this.#members(this.#embeddedIn(field))
      found.push(field, ...inner.map((each) => ({ ...each, path: `${field.path}.${each.path}` })))
    }
    return found.slice(0, MOST_FIELDS)
  }

  #inside(within: FilterField, name: string): FilterField | undefined {
    if (within.inMap !== undefined) {
      return fieldOf(name, within.inMap)
    }
    const isElement = within.isList && /^\d+$/.test(name)
    return isElement ? { ...within, isList: false } : this.#member(this.#embeddedIn(within), name)
  }

  #member(bucket: string | undefined, name: string): FilterField | undefined {
    return this.#members(bucket).find(({ path }) => path === name)
  }

  #members(bucket: string | undefined): readonly FilterField[] {
    if (bucket === undefined) {
      return []
    }
    const own = fieldsOf(bucket, this.#classes).map(({ name, type, metadata }) =>
      fieldOf(name, type, metadata?.['orestes.enum']),
    )
    return bucket === this.#bucket ? [...own, ...this.#metadata()] : own
  }

  #metadata(): readonly FilterField[] {
    return [
      fieldOf('id', this.#bucket),
      fieldOf('version', 'Integer'),
      fieldOf('createdAt', 'DateTime'),
      fieldOf('updatedAt', 'DateTime'),
    ]
  }

  #embeddedIn(field: FilterField | undefined): string | undefined {
    return this.#classes.find(({ name, embedded }) => embedded === true && name === field?.single)?.name
  }
}

function fieldOf(path: string, type: string, allowed?: string): FilterField {
  const [, collection, content] = /^collection\.(List|Set|Map)\[(.*)\]$/.exec(nameOf(type)) ?? []
  const isMap = collection === 'Map'
  return {
    path,
    type: shortType(type),
    single: isMap ? '' : nameOf(content ?? type),
    isList: (collection !== undefined && !isMap) || nameOf(type) === 'JsonArray',
    inMap: isMap ? content?.replace(/^.*,\s*/, '') : undefined,
    allowed: allowed === undefined ? [] : valuesIn(allowed),
  }
}

function valuesIn(constraint: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(constraint)
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}
