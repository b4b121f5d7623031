import type { FieldDescriptor } from '@orestes/sdk'

const PREFIX = 'orestes.'
const REQUIRED = 'NOTNULL'

const ORDERED = ['Integer', 'Double', 'DateTime', 'Date', 'Time']

/** A limit that values of some types may have. */
export interface Limit {
  /** As the metadata of a field have it, behind the prefix. */
  readonly key: string
  readonly title: string
  readonly example: string
}

const MIN: Limit = { key: 'min', title: 'Smallest', example: '' }
const MAX: Limit = { key: 'max', title: 'Largest', example: '' }
const MIN_LENGTH: Limit = { key: 'minLength', title: 'Shortest', example: '1' }
const MAX_LENGTH: Limit = { key: 'maxLength', title: 'Longest', example: '100' }
const PATTERN: Limit = { key: 'pattern', title: 'Pattern', example: '^[a-z]+$' }
const ENUM: Limit = {
  key: 'enum',
  title: 'The only values, as a JSON array',
  example: '["draft", "published"]',
}

/** What was typed in for the constraints of a field. */
export interface ConstraintInput {
  readonly isRequired: boolean
  /** By key; empty for no limit. */
  readonly limits: { readonly [key: string]: string }
}

/** What values of a field have to fulfil, in words. */
export function constraintsOf({ flags = [], metadata = {} }: FieldDescriptor): string[] {
  const limits = Object.entries(metadata).filter(([key]) => key.startsWith(PREFIX))
  return [
    ...flags.map((flag) => (flag === REQUIRED ? 'must be set' : flag.toLowerCase())),
    ...limits.map(([key, value]) => `${key.slice(PREFIX.length)} ${value}`),
  ]
}

/** The limits that make sense for values of a type; in a collection those but the lengths are about its elements. */
export function limitsFor(type: string): readonly Limit[] {
  const isCollection = type.includes('[')
  const element = type.replace(/^.*\[/, '').replace(/\].*$/, '').replace('/db/', '')
  return [
    ...(ORDERED.includes(element) ? [MIN, MAX] : []),
    ...(isCollection || element === 'String' ? [MIN_LENGTH, MAX_LENGTH] : []),
    ...(element === 'String' ? [PATTERN] : []),
    ...(element === 'String' || ORDERED.includes(element) ? [ENUM] : []),
  ]
}

/** The constraints of a field, to be typed over. */
export function constraintInputOf({ flags = [], metadata = {} }: FieldDescriptor): ConstraintInput {
  const limits = Object.entries(metadata)
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([key, value]) => [key.slice(PREFIX.length), value])
  return { isRequired: flags.includes(REQUIRED), limits: Object.fromEntries(limits) }
}

/** The field with these constraints, as far as they make sense for its type; what else it says of itself stays. */
export function withConstraints(field: FieldDescriptor, input: ConstraintInput): FieldDescriptor {
  const { flags = [], metadata = {} } = field
  const others = Object.entries(metadata).filter(([key]) => !key.startsWith(PREFIX))
  const limits = limitsFor(field.type)
    .map(({ key }) => [`${PREFIX}${key}`, input.limits[key]?.trim() ?? ''])
    .filter(([, value]) => value !== '')
  return {
    ...field,
    flags: [...flags.filter((flag) => flag !== REQUIRED), ...(input.isRequired ? [REQUIRED] : [])],
    metadata: Object.fromEntries([...others, ...limits]),
  }
}
