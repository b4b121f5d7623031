import { bucketOf } from '@orestes/sdk'
import type { ClassInfo } from '../server/schema'
import { formatValue, isRounded, keyIn } from '../server/values'
import { columnsOf, type Column } from './columns'
import type { Row } from './rows'

/** How many fields say what an object is, and how much of each. */
const MOST_FIELDS = 6
const LONGEST = 120

/** The first fields of an object that are set, as they are ordered in its class: names and values in words. */
export function mainFields(
  object: Row,
  classes: readonly ClassInfo[],
): readonly (readonly [string, string])[] {
  return columnsOf(bucketOf(object.id), classes)
    .filter(({ path }) => path !== 'id' && path !== 'updatedAt' && isSet(object[path]))
    .slice(0, MOST_FIELDS)
    .map((column) => [column.path, cut(wordsOf(object[column.path], column))] as const)
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

function wordsOf(value: unknown, { kind }: Column): string {
  if (kind === 'reference' && typeof value === 'string') {
    return keyIn(value)
  }
  return kind === 'integer' && isRounded(value) ? `≈ ${String(value)}` : formatValue(value, kind)
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
