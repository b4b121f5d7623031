import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepLoading } from '../src/app/loading'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function begin(everyMillis: number | undefined, isHidden: () => boolean, load = async () => 1) {
  const [loaded, failed, counted] = [vi.fn(), vi.fn(), vi.fn(load)]
  const end = keepLoading({ load: counted, loaded, failed, everyMillis, isHidden })
  return { loaded, failed, load: counted, end }
}

it('loads at once, also in a tab that nobody looks at', async () => {
  const { loaded } = begin(undefined, () => true)
  await vi.advanceTimersByTimeAsync(10_000)

  expect(loaded.mock.calls).toEqual([[1]])
})

it('loads again only while somebody looks', async () => {
  let isHidden = true
  const { load } = begin(1000, () => isHidden)
  await vi.advanceTimersByTimeAsync(5500)
  expect(load).toHaveBeenCalledTimes(1)

  isHidden = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(load).toHaveBeenCalledTimes(2)
})

it('goes on after a failure, and tells nothing after its end', async () => {
  const { load, failed, end } = begin(
    1000,
    () => false,
    () => Promise.reject(new Error('no')),
  )
  await vi.advanceTimersByTimeAsync(2500)
  expect(load).toHaveBeenCalledTimes(3)
  expect(failed).toHaveBeenCalledTimes(3)

  end()
  await vi.advanceTimersByTimeAsync(5000)
  expect(load).toHaveBeenCalledTimes(3)
})
