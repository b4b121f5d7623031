import { describe, expect, it } from 'vitest'
import { type Any, folded, type ShownWrite } from '../src/optimistic/overlay.js'
import { Told } from '../src/optimistic/told.js'

type Step = { event: number } | { answer: number }

/** Returns all orders of the elements. */
function orders<T>(all: readonly T[]): T[][] {
  return all.length === 0
    ? [[]]
    : all.flatMap((first, i) => orders(all.filter((_, j) => j !== i)).map((rest) => [first, ...rest]))
}

/** Returns all sequences that have the elements of both in their order. */
function merges(some: readonly Step[], others: readonly Step[]): Step[][] {
  if (some.length === 0 || others.length === 0) return [[...some, ...others]]
  return [
    ...merges(some.slice(1), others).map((rest) => [some[0]!, ...rest]),
    ...merges(some, others.slice(1)).map((rest) => [others[0]!, ...rest]),
  ]
}

const counted = (version: number) => ({ id: '/db/Todo/a', version, acl: null, n: version }) as unknown as Any
const count = (object: Any | undefined) => (object as unknown as { n: number } | undefined)?.n

/** Returns the display after each step while three equal increments are under way. */
function shown(versions: readonly number[], steps: readonly Step[]): (number | undefined)[] {
  const writes = versions.map(() => ({
    id: '/db/Todo/a',
    apply: (object: Any | undefined) => object && ({ ...object, n: count(object)! + 1 } as Any),
    outcome: undefined as ShownWrite['outcome'],
  }))
  const told = new Told()
  let base = counted(1)
  return steps.map((step) => {
    const before = base
    if ('event' in step) base = counted(step.event)
    else writes[step.answer]!.outcome = counted(versions[step.answer]!)
    told.heed(writes, [before], [base])
    return count(folded(base, told.left(writes)))
  })
}

describe('writes that look the same', () => {
  it('are never missed, in whatever order events and answers come', () => {
    const events = [2, 3, 4].map((event) => ({ event }))
    for (const versions of orders([2, 3, 4])) {
      for (const answers of orders([0, 1, 2])) {
        for (const steps of merges(
          events,
          answers.map((answer) => ({ answer })),
        )) {
          const counts = shown(versions, steps)
          const sequence = `${versions} ${JSON.stringify(steps)} shows ${counts}`
          expect(Math.min(...counts.map((each) => each ?? 0)), sequence).toBeGreaterThanOrEqual(4)
          expect(counts.at(-1), sequence).toBe(4)
        }
      }
    }
  })
})
