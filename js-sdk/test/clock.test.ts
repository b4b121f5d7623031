import { expect, it } from 'vitest'
import { steadyClock } from '../src/clock.js'

function clocks() {
  const at = { tick: 500, wall: 1_000_000 }
  return {
    at,
    now: steadyClock(
      () => at.tick,
      () => at.wall,
    ),
  }
}

it('counts what both clocks count', () => {
  const { at, now } = clocks()

  at.tick += 30
  at.wall += 30

  expect(now()).toBe(30)
})

it('counts the time for which the computer slept', () => {
  const { at, now } = clocks()

  at.tick += 5
  at.wall += 3_600_005

  expect(now()).toBe(3_600_005)
})

it('goes on when the system clock is set back', () => {
  const { at, now } = clocks()

  at.tick += 10
  at.wall -= 60_000
  expect(now()).toBe(10)

  at.tick += 10
  at.wall += 10
  expect(now()).toBe(20)
})
