/** What somebody may want to do, as the server names it, and how people say it of an object. */
export interface Operation {
  readonly name: string
  /** Behind “may”. */
  readonly words: string
  /** Whether it may be about a single object. */
  readonly hasObject: boolean
}

const ofObject = (name: string, words: string): Operation => ({ name, words, hasObject: true })

const ofClass = (name: string, words: string): Operation => ({ name, words, hasObject: false })

/** All operations that can be asked about, in groups; what is asked for most is first. */
export const OPERATIONS: readonly { readonly title: string; readonly all: readonly Operation[] }[] = [
  {
    title: 'Read',
    all: [
      ofObject('load', 'read it by its id'),
      ofObject('query', 'find it by a query'),
      ofObject('subscribe', 'follow it by a live query'),
      ofObject('depth', 'see it in place of a reference (depth)'),
      ofObject('count', 'have it counted'),
      ofObject('aggregate', 'have it aggregated'),
      ofObject('prepared', 'find it by a prepared query'),
    ],
  },
  {
    title: 'Write',
    all: [
      ofObject('insert', 'insert it'),
      ofObject('register', 'register it as a user'),
      ofObject('update', 'replace it'),
      ofObject('partialUpdate', 'change parts of it'),
      ofObject('save', 'save it, whether or not it is there'),
      ofObject('delete', 'delete it'),
      ofClass('bulk', 'send many writes at once'),
      ofClass('transaction', 'use a transaction'),
    ],
  },
  {
    title: 'The class as a whole',
    all: [
      ofClass('ids', 'list all ids'),
      ofClass('export', 'export it'),
      ofClass('import', 'import into it'),
      ofClass('truncate', 'delete all of its objects'),
      ofClass('indexes', 'see its indexes'),
      ofClass('createIndex', 'add an index'),
      ofClass('dropIndex', 'drop an index'),
      ofClass('prepare', 'prepare a query'),
    ],
  },
  {
    title: 'The schema',
    all: [
      ofClass('schemaRead', 'see its fields'),
      ofClass('schemaAdd', 'add a field'),
      ofClass('schemaReplace', 'change or remove a field'),
      ofClass('schemaSubclass', 'make a subclass of it'),
      ofClass('schemaPut', 'put another class in its place'),
      ofClass('schemaRemove', 'drop it'),
    ],
  },
]

/** The operation of a name; the first for one that there is not. */
export function operationOf(name: string): Operation {
  const all = OPERATIONS.flatMap((group) => group.all)
  return all.find((each) => each.name === name) ?? (all[0] as Operation)
}
