import type { Identified, MatchMessage } from '../wire.js'

/**
Applies a match event to the result of a live query as a list (protocol, section 18.4): `add`
inserts at its index or appends, `remove` deletes, `changeIndex` moves, `change` replaces; `match`
is whichever of the last three fits. Lists are never changed in place: each event creates a new one.

@example
```ts
const list = applyMatch([{ id: '/db/Todo/a' }], { matchType: 'remove', operation: 'delete', data: { id: '/db/Todo/a' } })
```
*/
export function applyMatch<T extends Identified>(list: readonly T[], match: MatchMessage<T>): readonly T[] {
  return applyTo(list, match, ({ id }) => id)
}

/**
Applies a match event to a list whose elements are identified by a function.

@param keyOf returns the identity of an element, which the one that replaces it has as well
*/
export function applyTo<T extends object>(
  list: readonly T[],
  match: Pick<MatchMessage<never>, 'matchType' | 'index'> & { readonly data: T },
  keyOf: (element: T) => string,
): readonly T[] {
  const { matchType, data, index } = match
  const key = keyOf(data)
  const position = list.findIndex((each) => keyOf(each) === key)
  if (matchType === 'remove') {
    return position < 0 ? list : list.toSpliced(position, 1)
  }
  if (position >= 0 && (index === undefined || matchType === 'change')) {
    return list.with(position, newer(list[position], data))
  }
  const others = position < 0 ? list : list.toSpliced(position, 1)
  return others.toSpliced(index ?? others.length, 0, newer(list[position], data))
}

/** A late event must not restore an older state. */
function newer<T extends object>(known: T | undefined, next: T): T {
  return known !== undefined && version(known) > version(next) ? known : next
}

function version(object: object): number {
  return 'version' in object && typeof object.version === 'number' ? object.version : Infinity
}
