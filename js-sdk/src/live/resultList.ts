import type { Identified, MatchMessage } from '../wire.js'

/**
The result of a live query as a list, kept up to date by match events (protocol, section 18.4): `add` inserts at its index
or appends, `remove` deletes, `changeIndex` moves, `change` replaces; `match` is whichever of the last three fits. Lists are
never changed in place: each event makes a new one.
*/
export function applyMatch<T extends Identified>(list: readonly T[], match: MatchMessage<T>): readonly T[] {
  const { matchType, data, index } = match
  const position = list.findIndex((each) => each.id === data.id)
  if (matchType === 'remove') {
    return position < 0 ? list : list.toSpliced(position, 1)
  }
  if (position >= 0 && (index === undefined || matchType === 'change')) {
    return list.with(position, newer(list[position], data))
  }
  const others = position < 0 ? list : list.toSpliced(position, 1)
  return others.toSpliced(index ?? others.length, 0, newer(list[position], data))
}

/** A late event must not bring an older state back. */
function newer<T extends Identified>(known: T | undefined, next: T): T {
  return known !== undefined && version(known) > version(next) ? known : next
}

function version(object: Identified): number {
  return 'version' in object && typeof object.version === 'number' ? object.version : Infinity
}
