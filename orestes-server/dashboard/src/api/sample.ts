import type { FieldDescriptor } from '@orestes/sdk'
import { fieldsOf, nameOf, type ClassInfo } from '../server/schema'
import { textMatching } from './pattern'

/** Key of the object that samples are about. */
export const SAMPLE_KEY = 'sample'

/** An object as somebody may send it. */
export type SampleObject = { readonly [field: string]: unknown }

/** How deep embedded objects of a sample are; classes may contain themselves. */
const DEEPEST = 3

const VALUES: { readonly [type: string]: unknown } = {
  String: 'text',
  Integer: 1,
  Double: 1.5,
  Boolean: true,
  DateTime: '2026-01-31T09:30:00.000Z',
  Date: '2026-01-31',
  Time: '09:30:00.000Z',
  GeoPoint: { latitude: 53.55, longitude: 9.99 },
  JsonObject: { note: 'text' },
  JsonArray: ['text'],
}

/** An object of a class that its fields and their constraints allow, with the key of samples. */
export function sampleOf(bucket: string, classes: readonly ClassInfo[]): SampleObject {
  return { id: `/db/${bucket}/${SAMPLE_KEY}`, ...fieldSamples(bucket, classes, 0) }
}

/** The first field of a class with a value that filters compare with, and that value. */
export function comparedField(
  bucket: string,
  classes: readonly ClassInfo[],
): readonly [field: string, value: unknown] | undefined {
  return Object.entries(fieldSamples(bucket, classes, 0)).find(([, value]) => typeof value !== 'object')
}

function fieldSamples(bucket: string, classes: readonly ClassInfo[], depth: number): SampleObject {
  const values = fieldsOf(bucket, classes).map((field) => [field.name, valueOf(field, classes, depth)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Undefined where a sample goes without the field. */
function valueOf(field: FieldDescriptor, classes: readonly ClassInfo[], depth: number): unknown {
  const limits = limitsOf(field)
  const type = nameOf(field.type)
  const [, kind, inside = ''] = /^collection\.(\w+)\[(.*)\]$/.exec(type) ?? []
  if (kind === undefined) {
    return single(type, limits, classes, depth)
  }
  const value = single(nameOf(inside.split(',').at(-1)!), limits, classes, depth)
  return value === undefined ? undefined : collection(kind, value, limits.least)
}

function collection(kind: string, value: unknown, least: number): unknown {
  const length = Math.max(least, 1)
  if (kind === 'Map') {
    return Object.fromEntries(Array.from({ length }, (_, i) => [`key${i + 1}`, value]))
  }
  const isSetOfTexts = kind === 'Set' && typeof value === 'string'
  return Array.from({ length }, (_, i) => (isSetOfTexts && i > 0 ? `${value}${i + 1}` : value))
}

interface Limits {
  readonly of: { readonly [key: string]: string }
  readonly least: number
}

function limitsOf({ metadata = {} }: FieldDescriptor): Limits {
  const of = Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key.replace(/^orestes\./, ''), value]),
  )
  return { of, least: Number(of['minLength'] ?? 0) }
}

function single(type: string, limits: Limits, classes: readonly ClassInfo[], depth: number): unknown {
  const { enum: allowed } = limits.of
  if (allowed !== undefined) return (JSON.parse(allowed) as unknown[])[0]
  if (type === 'String') return textWithin(limits)
  if (type in VALUES) return between(VALUES[type], limits.of)
  const found = classes.find(({ name }) => name === type)
  if (found?.embedded !== true) return found && `/db/${type}/${SAMPLE_KEY}`
  return depth < DEEPEST ? fieldSamples(type, classes, depth + 1) : undefined
}

function textWithin({ of: { pattern, maxLength }, least }: Limits): string | undefined {
  if (pattern !== undefined) return textMatching(pattern, least)
  return 'text'.padEnd(least, '.').slice(0, maxLength === undefined ? undefined : Number(maxLength))
}

/** A value, or the limit that keeps it out; limits of times are texts that are ordered as they are. */
function between(value: unknown, { min, max }: { readonly [key: string]: string }): unknown {
  const limit = (text: string) => (typeof value === 'number' ? Number(text) : text)
  const isComparable = typeof value === 'number' || typeof value === 'string'
  if (isComparable && min !== undefined && value < limit(min)) return limit(min)
  return isComparable && max !== undefined && value > limit(max) ? limit(max) : value
}
