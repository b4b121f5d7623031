import { afterEach, expect, it, vi } from 'vitest'
import { loadAll } from '../src/app/pageCode'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is loaded when the browser is idle, or soon where it does not say', () => {
  const idle = vi.fn(() => 7)
  const cancel = vi.fn()
  vi.stubGlobal('requestIdleCallback', idle)
  vi.stubGlobal('cancelIdleCallback', cancel)
  loadAll()()
  expect(idle).toHaveBeenCalledOnce()
  expect(cancel).toHaveBeenCalledWith(7)

  vi.unstubAllGlobals()
  vi.useFakeTimers()
  const leave = loadAll()
  expect(vi.getTimerCount()).toBe(1)
  leave()
  expect(vi.getTimerCount()).toBe(0)
})
