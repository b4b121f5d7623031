import { vi } from 'vitest'

/** On a busy machine something takes longer than the second that Vitest waits by itself. */
const timeout = 40_000

/** Waits until a check passes. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout })
}

/** Waits until a condition holds, and returns its value. */
export function until<T>(condition: () => T | Promise<T>) {
  return vi.waitUntil(condition, { timeout })
}
