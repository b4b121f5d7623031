/** Sums up a round of reads: a sentence, a bar, and what it took to know what may come from the cache. */
import { arrange, element, setText } from './elements.js'
import { ORIGINS, Receipt, size } from './receipt.js'

const $ = (id) => document.getElementById(id)
const checks = new Map()
const total = { reads: 0, own: 0, bytes: 0, overhead: 0 }

/** Shows how the reads of one round went, and the filter and query that came before them. */
export function showRound(readings, overhead, boundSeconds) {
  setText($('summary'), summary(readings))
  addUp(readings, overhead)
  showBar(readings)
  overhead.forEach((reading) => showCheck(reading, boundSeconds))
  arrange(
    $('checks'),
    [...checks.values()].map(({ node }) => node),
  )
}

/** For example: 12 reads: 11 from your browser, 1 from the server – 560 bytes. */
export function summary(readings) {
  const own = count(readings, 'browser')
  const others = readings.length - own
  const sent = bytes(readings)
  const parts = [
    ...(own > 0 ? [`${own} from your browser`] : []),
    ...(others > 0 ? [`${others} from the server`] : []),
  ]
  return `${readings.length} reads: ${parts.join(', ')} – ${sent < 1000 ? `${sent} bytes` : size(sent)}`
}

function addUp(readings, overhead) {
  total.reads += readings.length
  total.own += count(readings, 'browser')
  total.bytes += bytes(readings)
  total.overhead += bytes(overhead)
  const costs = `${size(total.bytes)} for stories, ${size(total.overhead)} for the checks`
  setText($('total'), `So far: ${total.reads} reads, ${total.own} from your browser; ${costs}.`)
}

function count(readings, origin) {
  return readings.filter(({ from }) => from === origin).length
}

function bytes(readings) {
  return readings.reduce((sum, reading) => sum + (reading.bytes ?? 0), 0)
}

function showBar(readings) {
  const counts = Object.keys(ORIGINS).map((from) => [from, count(readings, from)])
  arrange(
    $('bar'),
    counts.filter(([, reads]) => reads > 0).map(([from, reads]) => segment(from, reads)),
  )
  arrange(
    $('legend'),
    counts.map(([from, reads]) =>
      element('li', {
        className: reads > 0 ? '' : 'none',
        dataset: { from },
        textContent: `${reads} ${ORIGINS[from]}`,
      }),
    ),
  )
}

function segment(from, reads) {
  const made = element('span', { dataset: { from } })
  made.style.flexGrow = String(reads)
  return made
}

function showCheck(reading, boundSeconds) {
  const name = reading.resource === '/bloomfilter' ? 'Filter of stale keys' : 'Newest stories'
  if (!checks.has(name)) checks.set(name, newCheck(name))
  checks.get(name).receipt.show(reading, boundSeconds)
}

function newCheck(name) {
  const receipt = new Receipt()
  return {
    receipt,
    node: element('li', {}, element('span', { className: 'name', textContent: name }), receipt.node),
  }
}
