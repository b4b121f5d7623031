/**
Returns milliseconds since any fixed time, never going back. Counts the sleep of the computer, which
`performance.now` of some browsers does not, and is not moved by a system clock that is set back.
*/
export function steadyClock(ticks = () => performance.now(), wall = () => Date.now()): () => number {
  let lastTick = ticks()
  let lastWall = wall()
  let elapsed = 0
  return () => {
    const tick = ticks()
    const time = wall()
    elapsed += Math.max(0, tick - lastTick, time - lastWall)
    lastTick = tick
    lastWall = time
    return elapsed
  }
}
