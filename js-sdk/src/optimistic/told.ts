import { type Any, folded, type ShownWrite } from './overlay.js'

/**
Determines the writes that the result of one query contains already, which therefore are not shown
on it any more. A change that arrives before the answer to a write is matched with it by its
content, until an answer proves otherwise.
*/
export class Told {
  readonly #told = new WeakSet<ShownWrite>()
  /** The version that an unanswered write seems to have created. */
  readonly #claims = new WeakMap<ShownWrite, number>()

  /** Returns the writes that are still to be shown. */
  left(writes: readonly ShownWrite[]): readonly ShownWrite[] {
    return writes.filter((each) => !this.#told.has(each) && !(isOpen(each) && this.#claims.has(each)))
  }

  /** Processes a result, and the one before. */
  heed(writes: readonly ShownWrite[], before: readonly Any[], now: readonly Any[]): void {
    for (const id of new Set(writes.map((each) => each.id))) {
      const own = writes.filter((each) => each.id === id)
      const [was, is] = [before, now].map((list) => list.find((each) => each.id === id))
      this.#heedAnswers(own, is)
      if (was !== is) this.#claim(own, was, is)
    }
  }

  #heedAnswers(own: readonly ShownWrite[], is: Any | undefined): void {
    for (const write of own) {
      const { outcome } = write
      if (outcome === null ? is === undefined : outcome && (is?.version ?? 0) >= outcome.version) {
        this.#told.add(write)
        // the write that seemed to have created this version did not
        own
          .filter((each) => outcome && this.#claims.get(each) === outcome.version)
          .forEach((each) => this.#claims.delete(each))
      }
    }
  }

  #claim(own: readonly ShownWrite[], was: Any | undefined, is: Any | undefined): void {
    const left = this.left(own)
    const versions = versionsBetween(was, is).filter(
      (version) => !own.some((each) => each.outcome?.version === version),
    )
    const count = versions.length
    const runs = count === 1 ? left.map((each) => [each]) : [left.slice(0, count)]
    const run = runs.find((each) => each.length === count && isAlike(folded(was, each), is))
    run?.filter(isOpen).forEach((each, i) => this.#claims.set(each, versions[i] ?? 0))
  }
}

/** Returns the versions between both states; a deletion counts as one. */
function versionsBetween(was: Any | undefined, is: Any | undefined): number[] {
  const first = (was?.version ?? 0) + 1
  return Array.from({ length: is === undefined ? 1 : is.version - first + 1 }, (_, i) => first + i)
}

const isOpen = ({ outcome }: ShownWrite) => outcome === undefined

function isAlike(a: Any | undefined, b: Any | undefined): boolean {
  return a === undefined || b === undefined ? a === b : fieldsOf(a) === fieldsOf(b)
}

function fieldsOf({ version: _, createdAt: __, updatedAt: ___, ...fields }: Any): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
