/** One read as a row of figures: where from, how long, how many bytes, how old, how far behind at most. */
import { element, setText } from './elements.js'

/** Where a read may have come from. */
export const ORIGINS = {
  browser: 'browser cache',
  unchanged: 'unchanged',
  cache: 'server cache',
  store: 'store',
}

/** The filter is made, not stored: it has one more origin. */
const LABELS = { ...ORIGINS, server: 'server' }

export class Receipt {
  constructor() {
    this.chip = element('span', { className: 'chip', textContent: 'reading…' })
    this.status = element('span', { className: 'if-wide', textContent: ' (304)' })
    this.millis = element('span')
    this.bytes = element('span')
    this.age = element('span')
    this.bound = element('span')
    this.behind = element('span', { className: 'if-wide', textContent: ' behind' })
    this.node = element(
      'p',
      { className: 'receipt' },
      this.chip,
      this.millis,
      this.bytes,
      this.age,
      this.bound,
    )
  }

  show({ from, millis, bytes, ageSeconds, isCurrent }, boundSeconds) {
    this.chip.dataset.from = from
    this.chip.replaceChildren(LABELS[from], ...(from === 'unchanged' ? [this.status] : []))
    setText(
      this.millis,
      millis === undefined ? '? ms' : `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`,
    )
    setText(this.bytes, bytes === undefined ? '? B' : size(bytes))
    setText(this.age, `${duration(ageSeconds)} old`)
    this.bound.replaceChildren(...(isCurrent ? ['current'] : [`≤ ${boundSeconds} s`, this.behind]))
  }
}

export function size(bytes) {
  if (bytes < 1000) return `${bytes}\u00a0B`
  return `${(bytes / 1000).toFixed(1)}\u00a0kB`
}

export function duration(seconds) {
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
