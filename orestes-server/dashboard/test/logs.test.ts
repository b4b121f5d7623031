import { expect, it } from 'vitest'
import {
  MOST_LINES,
  NOTHING,
  shortName,
  textOf,
  timeOf,
  withPage,
  type Line,
  type LogEntry,
  type LogPage,
} from '../src/logs/entries'

function entry(sequence: number, message = `entry ${sequence}`): LogEntry {
  return {
    sequence,
    time: 0,
    level: 'info',
    logger: 'io.orestes.replication.PeerGroup',
    thread: 'main',
    message,
    stackTrace: null,
  }
}

function page(log: string, sequences: readonly number[], lost = 0): LogPage {
  return {
    log,
    entries: sequences.map((n) => entry(n)),
    after: `${log}.${sequences.at(-1) ?? 0}`,
    lost,
  }
}

const shownOf = (...pages: readonly LogPage[]) => pages.reduce(withPage, NOTHING)

function said(lines: readonly Line[]): readonly string[] {
  return lines.map((line) => ('note' in line ? line.note : line.entry.message))
}

it('puts what comes behind what is there', () => {
  const shown = shownOf(page('a', [1, 2]), page('a', [3]))

  expect(said(shown.lines)).toEqual(['entry 1', 'entry 2', 'entry 3'])
  expect(shown.after).toBe('a.3')
})

it('is the same as long as nothing comes', () => {
  const shown = shownOf(page('a', [1, 2]))

  expect(withPage(shown, { ...page('a', []), after: 'a.2' })).toBe(shown)
})

it('goes on behind entries that do not meet the filter', () => {
  const shown = shownOf(page('a', [1]), { ...page('a', []), after: 'a.9' })

  expect(shown.after).toBe('a.9')
  expect(shown.lines).toHaveLength(1)
})

it('says where entries are missing', () => {
  expect(said(shownOf(page('a', [1]), page('a', [5], 3)).lines)).toEqual([
    'entry 1',
    '3 entries were dropped by the server before they could be shown.',
    'entry 5',
  ])
  expect(said(shownOf(page('a', [1], 1)).lines)[0]).toMatch(/^One entry/)
})

it('says where another log begins, and tells no entry twice when servers take turns', () => {
  const shown = shownOf(page('a', [1, 2]), page('b', [1]), page('a', [1, 2]), page('b', [1, 2]))

  expect(said(shown.lines)).toEqual([
    'entry 1',
    'entry 2',
    expect.stringMatching(/another server/),
    'entry 1',
    expect.stringMatching(/another server/),
    'entry 2',
  ])
  expect(new Set(shown.lines.map(({ key }) => key)).size).toBe(shown.lines.length)
})

it('keeps the newest lines', () => {
  const all = Array.from({ length: MOST_LINES + 10 }, (_, i) => i + 1)

  const { lines } = shownOf(page('a', all))

  expect(lines).toHaveLength(MOST_LINES)
  expect(said(lines)[0]).toBe('entry 11')
})

it('writes an entry as people are told of it', () => {
  const failed = { ...entry(1, 'broken'), level: 'error' as const, stackTrace: 'a.B: c\n\tat d' }

  expect(timeOf(failed)).toBe('1970-01-01 00:00:00.000')
  expect(shortName(failed)).toBe('PeerGroup')
  expect(shortName({ ...failed, logger: 'plain' })).toBe('plain')
  expect(textOf(failed)).toBe(
    '1970-01-01T00:00:00.000Z ERROR [main] io.orestes.replication.PeerGroup: broken\na.B: c\n\tat d',
  )
  expect(textOf(entry(1))).not.toContain('\n')
})
