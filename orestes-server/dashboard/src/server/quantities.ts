/** A share, with a digit more where it is small. */
export function percent(share: number): string {
  const value = share * 100
  const digits = value === 0 || value >= 10 ? 0 : value >= 1 ? 1 : 2
  return value > 0 && value < 0.01 ? 'below 0.01 %' : `${value.toFixed(digits)} %`
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} bytes`
  const kilobytes = count / 1024
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`
}

/** So many of something that has an ordinary plural. */
export function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count.toLocaleString('en')} ${what}s`
}

/** How long it is until a moment. */
export function left(until: number, now: number): string {
  const seconds = Math.max(0, Math.round((until - now) / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** How long something took that is told in milliseconds. */
export function duration(millis: number): string {
  return millis < 1000 ? `${millis.toFixed(1)} ms` : `${(millis / 1000).toFixed(1)} s`
}
