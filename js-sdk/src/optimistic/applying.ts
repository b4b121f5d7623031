import type { UpdateOperations } from '../objects/update.js'
import { isRecord } from '../wire.js'

type Operation = (value: unknown, operand: unknown) => unknown

/**
Local effects of operations on a value. Rare cases may differ; the server's answer replaces them.
*/
const OPERATIONS: { readonly [name: string]: Operation } = {
  $set: (_, operand) => operand,
  $inc: (value, by) => number(value) + number(by),
  $dec: (value, by) => number(value) - number(by),
  $mul: (value, by) => number(value) * number(by),
  $min: (value, bound) => (isUnset(value) ? bound : Math.min(number(value), number(bound))),
  $max: (value, bound) => (isUnset(value) ? bound : Math.max(number(value), number(bound))),
  $and: (value, mask) => number(value) & number(mask),
  $or: (value, mask) => number(value) | number(mask),
  $xor: (value, mask) => number(value) ^ number(mask),
  $push: (value, element) => [...list(value), element],
  $unshift: (value, element) => [element, ...list(value)],
  $pop: (value) => list(value).slice(0, -1),
  $shift: (value) => list(value).slice(1),
  $replace: (_, element) => element,
  $add: (value, element) =>
    list(value).some((each) => isSame(each, element)) ? value : [...list(value), element],
  $remove: (value, gone) =>
    isRecord(value) && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone))
      : list(value).filter((each) => !isSame(each, gone)),
  $put: (value, entries) => ({ ...(isRecord(value) ? value : {}), ...(entries as object) }),
  $currentDate: () => new Date().toISOString(),
}

/**
Returns a copy of an object with operations applied. Unknown operations have no effect until the
server has answered.
*/
export function applied<T extends object>(object: T, operations: UpdateOperations): T {
  let result: unknown = object
  for (const [name, paths] of Object.entries(operations)) {
    for (const [path, operand] of Object.entries(paths)) {
      result =
        name === '$rename' ? renamed(result, path, String(operand)) : changed(result, name, path, operand)
    }
  }
  return result as T
}

function changed(object: unknown, name: string, path: string, operand: unknown): unknown {
  const operation = OPERATIONS[name]
  return operation ? at(object, path.split('.'), (value) => operation(value, operand)) : object
}

function renamed(object: unknown, from: string, to: string): unknown {
  let moved: unknown = null
  const without = at(object, from.split('.'), (value) => {
    moved = value ?? null
    return null
  })
  return at(without, to.split('.'), () => moved)
}

/** Copies the values on the way to a path, and nothing else. */
function at(target: unknown, [name = '', ...rest]: string[], change: (value: unknown) => unknown): unknown {
  const copy = Array.isArray(target) ? [...(target as unknown[])] : { ...(isRecord(target) ? target : {}) }
  const members = copy as { [name: string]: unknown }
  members[name] = rest.length === 0 ? change(members[name]) : at(members[name], rest, change)
  return copy
}

const isUnset = (value: unknown) => value === undefined || value === null
const number = (value: unknown) => (typeof value === 'number' ? value : 0)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
