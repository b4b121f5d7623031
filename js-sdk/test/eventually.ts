import { vi } from 'vitest'

/** On a busy machine waits take longer than Vitest's default of a second. */
const timeout = 40_000

/** Waits until a check passes. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout })
}

/** Waits until a condition holds, and returns its value. */
export function until<T>(condition: () => T | Promise<T>) {
  return vi.waitUntil(condition, { timeout })
}
