import { vi } from 'vitest'

/** Waits until a check passes; on a busy machine that is longer than Vitest waits by itself. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 40_000 })
}
