import { joined, placeIn, type Part, type Place } from './filterCursor'
import type { FilterField, FilterFields } from './filterFields'
import { JOINING, operatorsFor, TYPE_NAMES, type FilterOperator, type Operand } from './filterOperators'

/** What may be put in at the cursor. */
export interface Candidate {
  readonly label: string
  /** A type, or what it means. */
  readonly detail: string
  /** What is put in, and is before the cursor and behind it then. */
  readonly before: string
  readonly after: string
}

/** What there is to choose from, and what it replaces. */
export interface Completion {
  readonly from: number
  readonly to: number
  /** What stands from there up to the cursor, without a quotation mark. */
  readonly typed: string
  readonly candidates: readonly Candidate[]
}

/** A text, and where its cursor is. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly cursor: number
}

/** What completes a filter, finished or not, at the cursor; nothing if there is nothing to choose from. */
export function completionAt(text: string, cursor: number, fields: FilterFields): Completion | undefined {
  const place = placeIn(text, cursor, fields)
  if (place === undefined) {
    return undefined
  }
  const { from, typed } = place
  const to = cursor + restOfWord(text.slice(cursor), place.isQuoted)
  const present = text.slice(from, to)
  const candidates = matching(typed, candidatesAt(place, text.slice(to).trimStart(), fields)).filter(
    ({ before, after }) => before + after !== present,
  )
  return candidates.length === 0 ? undefined : { from, to, typed, candidates }
}

/** What is done to the text when a candidate is taken. */
export function accepted({ from, to }: Pick<Completion, 'from' | 'to'>, { before, after }: Candidate): Edit {
  return { from, to, insert: before + after, cursor: from + before.length }
}

/** How much of what follows the cursor belongs to the word that it is in. */
function restOfWord(rest: string, isQuoted: boolean): number {
  const quoted = isQuoted ? /^[^"\\{}[\],:\n]*"/.exec(rest) : null
  return (quoted ?? /^[\w.$/-]*/.exec(rest))?.[0].length ?? 0
}

/** What begins with the text comes before that of which a later word does. */
function matching(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const wanted = typed.toLowerCase()
  const found = (test: (label: string) => boolean) =>
    candidates.filter(({ label }) => test(label.toLowerCase().replace(/^"/, '')))
  return [
    ...found((label) => label.startsWith(wanted)),
    ...found(
      (label) => !label.startsWith(wanted) && (label.includes(`.${wanted}`) || label.includes(`$${wanted}`)),
    ),
  ]
}

function candidatesAt(place: Place, rest: string, fields: FilterFields): readonly Candidate[] {
  const { part, isKey, isQuoted } = place
  if (isKey) {
    return keysOf(place, fields).map((key) => (rest.startsWith(':') ? withoutValue(key) : key))
  }
  if (part.kind === 'filter') {
    return isQuoted || /^[^}\],]/.test(rest) ? [] : keysOf(place, fields).map(inBraces)
  }
  if (!isQuoted && /^["{[]/.test(rest)) {
    return []
  }
  const values = valuesOf(part, fields)
  if (isQuoted) {
    return values.filter(({ before }) => before.startsWith('"'))
  }
  return part.kind === 'condition' ? [...values, ...wholeConditions(part.path, fields)] : values
}

function wholeConditions(path: string, fields: FilterFields): readonly Candidate[] {
  return operatorsFor(fields.at(path)).filter(isAlone).map(asKey).map(inBraces)
}

function keysOf({ part, typed, keys }: Place, fields: FilterFields): readonly Candidate[] {
  switch (part.kind) {
    case 'filter':
      return [...fieldsIn(part.below, typed, fields), ...joining(part.below).map(asKey)].filter(
        ({ label }) => !keys.includes(label),
      )
    case 'operators':
      return operatorsFor(fields.at(part.path)).filter(isFree(keys)).map(asKey)
    case 'members':
      return part.of.filter(isFree(keys)).map(asKey)
    default:
      return []
  }
}

/** Of elements of a list some things cannot be asked. */
function joining(below: string): readonly FilterOperator[] {
  return below === '' ? JOINING : JOINING.filter(({ name }) => name !== '$text' && name !== '$expr')
}

function isAlone({ beside }: FilterOperator): boolean {
  return beside === undefined
}

function isFree(keys: readonly string[]): (operator: FilterOperator) => boolean {
  return ({ name, beside }) =>
    !keys.includes(name) && (beside === undefined || beside.some((each) => keys.includes(each)))
}

/** The fields of the objects that what is typed leads into. */
function fieldsIn(below: string, typed: string, fields: FilterFields): readonly Candidate[] {
  const parent = typed.includes('.') ? typed.slice(0, typed.lastIndexOf('.')) : ''
  return fields.below([below, parent].filter((each) => each !== '').join('.')).map(({ path, type }) => ({
    label: joined(parent, path),
    detail: type,
    before: `${JSON.stringify(joined(parent, path))}: `,
    after: '',
  }))
}

const BRACKETS: { readonly [O in Operand]?: readonly [string, string] } = {
  values: ['[', ']'],
  numbers: ['[', ']'],
  text: ['"', '"'],
  operators: ['{', '}'],
  element: ['{', '}'],
  filters: ['[{', '}]'],
  object: ['{', '}'],
  search: ['{', '}'],
  shape: ['{', '}'],
  geometry: ['{', '}'],
  nearby: ['{', '}'],
}

function asKey({ name, meaning, operand }: FilterOperator): Candidate {
  const [open, close] = BRACKETS[operand] ?? ['', '']
  return { label: name, detail: meaning, before: `"${name}": ${open}`, after: close }
}

function withoutValue(key: Candidate): Candidate {
  return { ...key, before: JSON.stringify(key.label), after: '' }
}

function inBraces(key: Candidate): Candidate {
  return { ...key, before: `{${key.before}`, after: `${key.after}}` }
}

function valuesOf(part: Part, fields: FilterFields): readonly Candidate[] {
  switch (part.kind) {
    case 'boolean':
      return [true, false].map((each) => literal(each, 'Boolean'))
    case 'type':
      return TYPE_NAMES.map((each) => literal(each, 'type'))
    case 'condition':
    case 'value':
      return valuesOfField(fields.at(part.path), fields)
    default:
      return []
  }
}

function valuesOfField(field: FilterField | undefined, fields: FilterFields): readonly Candidate[] {
  if (field === undefined) {
    return []
  }
  const unset = literal(null, 'not set')
  const known = field.single === 'Boolean' ? [true, false] : field.allowed
  if (known.length > 0) {
    return [...known.map((each) => literal(each, field.single)), unset]
  }
  if (fields.isReference(field)) {
    return [begun(`"/db/${field.single}/`, '"', 'id of an object'), unset]
  }
  return [...begunOf(field), unset]
}

function begunOf({ single }: FilterField): readonly Candidate[] {
  switch (single) {
    case 'DateTime':
      return [begun('{"$date": "', '"}', 'such as 2026-01-31T09:30:00Z')]
    case 'Date':
      return [begun('"', '"', 'such as 2026-01-31')]
    case 'Time':
      return [begun('"', '"', 'such as 09:30:00')]
    case 'String':
      return [begun('"', '"', 'a text')]
    default:
      return []
  }
}

function literal(value: unknown, detail: string): Candidate {
  const text = JSON.stringify(value)
  return { label: text, detail, before: text, after: '' }
}

/** A value that is still to be typed in its midst. */
function begun(before: string, after: string, detail: string): Candidate {
  return { label: `${before}…${after}`, detail, before, after }
}
