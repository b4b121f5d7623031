import type { FilterField } from './filterFields'

/** What an operator takes. */
export type Operand =
  | 'value'
  | 'values'
  | 'boolean'
  | 'type'
  | 'text'
  | 'number'
  | 'numbers'
  | 'operators'
  | 'element'
  | 'filters'
  | 'object'
  | 'search'
  | 'shape'
  | 'geometry'
  | 'nearby'

/** A member of a filter that is no field. */
export interface FilterOperator {
  readonly name: string
  /** In words. */
  readonly meaning: string
  readonly operand: Operand
  /** Makes sense only beside one of these. */
  readonly beside?: readonly string[]
}

const operator = (
  name: string,
  meaning: string,
  operand: Operand,
  beside?: readonly string[],
): FilterOperator => (beside === undefined ? { name, meaning, operand } : { name, meaning, operand, beside })

/** What stands where fields do. */
export const JOINING: readonly FilterOperator[] = [
  operator('$and', 'all of these', 'filters'),
  operator('$or', 'one of these', 'filters'),
  operator('$nor', 'none of these', 'filters'),
  operator('$text', 'words in any text', 'search'),
  operator('$expr', 'a formula', 'object'),
  operator('$jsonSchema', 'a JSON Schema', 'object'),
  operator('$comment', 'a remark', 'text'),
]

const NEAR = ['$near', '$nearSphere']

/** What a field is asked for. `$within` is an older name of `$geoWithin` and is not offered. */
export const ON_FIELDS: readonly FilterOperator[] = [
  operator('$eq', 'is', 'value'),
  operator('$ne', 'is not', 'value'),
  operator('$gt', 'is more than', 'value'),
  operator('$gte', 'is at least', 'value'),
  operator('$lt', 'is less than', 'value'),
  operator('$lte', 'is at most', 'value'),
  operator('$in', 'is one of', 'values'),
  operator('$nin', 'is none of', 'values'),
  operator('$exists', 'is there', 'boolean'),
  operator('$regex', 'matches', 'text'),
  operator('$options', 'how it matches, such as i', 'text', ['$regex']),
  operator('$not', 'does not fulfil', 'operators'),
  operator('$all', 'contains all of', 'values'),
  operator('$elemMatch', 'has an element that', 'element'),
  operator('$size', 'has so many elements', 'number'),
  operator('$type', 'is of the type', 'type'),
  operator('$mod', 'divisor and remainder', 'numbers'),
  operator('$near', 'near, nearest first', 'nearby'),
  operator('$nearSphere', 'near on earth, nearest first', 'nearby'),
  operator('$minDistance', 'not nearer than', 'number', NEAR),
  operator('$maxDistance', 'not farther than', 'number', NEAR),
  operator('$geoWithin', 'lies within', 'shape'),
  operator('$geoIntersects', 'touches', 'geometry'),
  operator('$bitsAllSet', 'has all of these bits', 'value'),
  operator('$bitsAllClear', 'has none of these bits', 'value'),
  operator('$bitsAnySet', 'has one of these bits', 'value'),
  operator('$bitsAnyClear', 'lacks one of these bits', 'value'),
]

const GEOMETRY = operator('$geometry', 'GeoJSON', 'object')

/** What stands in the operands that are objects of their own. */
const MEMBERS: { readonly [O in Operand]?: readonly FilterOperator[] } = {
  search: [
    operator('$search', 'words, or "phrases", or -not', 'text'),
    operator('$language', 'such as en', 'text'),
    operator('$caseSensitive', 'heeds capitals', 'boolean'),
    operator('$diacriticSensitive', 'heeds accents', 'boolean'),
  ],
  shape: [
    GEOMETRY,
    operator('$box', 'two corners', 'numbers'),
    operator('$center', 'center and radius', 'numbers'),
    operator('$centerSphere', 'center and radius in radians', 'numbers'),
    operator('$polygon', 'corners', 'numbers'),
  ],
  geometry: [GEOMETRY],
  nearby: [
    GEOMETRY,
    operator('$minDistance', 'metres', 'number', ['$geometry']),
    operator('$maxDistance', 'metres', 'number', ['$geometry']),
  ],
}

export function membersOf(operand: Operand): readonly FilterOperator[] | undefined {
  return MEMBERS[operand]
}

/** The names of types that `$type` knows and that values of objects have. */
export const TYPE_NAMES = [
  'string',
  'bool',
  'number',
  'int',
  'long',
  'double',
  'date',
  'object',
  'array',
  'null',
]

const COMPARED = ['$gt', '$gte', '$lt', '$lte', '$eq', '$ne', '$in', '$nin', '$exists']
const NUMERIC = [...COMPARED, '$mod', '$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear']
const EQUATED = ['$eq', '$ne', '$in', '$nin', '$exists']

/** What fits a type, in the order of use. */
const FITTING: { readonly [type: string]: readonly string[] } = {
  String: ['$eq', '$ne', '$regex', '$options', '$in', '$nin', '$exists'],
  Integer: NUMERIC,
  Double: NUMERIC,
  DateTime: COMPARED,
  Date: COMPARED,
  Time: COMPARED,
  Boolean: ['$eq', '$ne', '$exists'],
  GeoPoint: [
    '$near',
    '$nearSphere',
    '$minDistance',
    '$maxDistance',
    '$geoWithin',
    '$geoIntersects',
    '$exists',
  ],
}

const OF_LISTS = ['$all', '$elemMatch', '$size']

/** All operators on a field, those first that fit its type. */
export function operatorsFor(field: FilterField | undefined): readonly FilterOperator[] {
  if (field === undefined) {
    return ON_FIELDS
  }
  const ofType = FITTING[field.single] ?? EQUATED
  const fitting = field.isList ? [...OF_LISTS, ...ofType] : ofType
  return [
    ...fitting.flatMap((name) => ON_FIELDS.filter((each) => each.name === name)),
    ...ON_FIELDS.filter(({ name }) => !fitting.includes(name)),
  ]
}
