import type { Client } from '@orestes/sdk'

export const LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const

export type Level = (typeof LEVELS)[number]

/** An entry of the server's log, as it tells of it. */
export interface LogEntry {
  /** Its number in its log, from 1. */
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly level: Level
  /** Full name of the class that wrote it. */
  readonly logger: string
  readonly thread: string
  readonly message: string
  readonly stackTrace: string | null
}

export interface LogPage {
  /** Of a server that was started again, and of each server of a group, another one. */
  readonly log: string
  /** Oldest first. */
  readonly entries: readonly LogEntry[]
  /** Where to go on. */
  readonly after: string
  /** How many entries since the last page are not kept any more. */
  readonly lost: number
}

/** Which entries are wanted. */
export interface LogFilter {
  readonly level: Level
  /** A text in them; empty for any. */
  readonly contains: string
}

/** A line of the list: an entry, or what there is to say between two. */
export type Line =
  | { readonly key: string; readonly entry: LogEntry }
  | { readonly key: string; readonly note: string }

/** What is shown of the log until now. */
export interface Shown {
  readonly lines: readonly Line[]
  /** Where to go on; empty at the beginning. */
  readonly after: string
  /** The last log that was told of; empty for none. */
  readonly log: string
  /** Number of the last entry told, by its log. */
  readonly told: ReadonlyMap<string, number>
}

export const NOTHING: Shown = { lines: [], after: '', log: '', told: new Map() }

/** So many lines are kept; then the oldest go. */
export const MOST_LINES = 5000

/** Entries of one answer; the most that a server gives. */
const PAGE = 1000

export async function loadPage(
  client: Client,
  { level, contains }: LogFilter,
  after: string,
  signal: AbortSignal,
): Promise<LogPage> {
  const search = new URLSearchParams({ level, contains, after, limit: String(PAGE) })
  return (await client.request(`/-/logs?${search.toString()}`, { signal })) as LogPage
}

/** What is shown with one more page; the same object if that changes nothing. */
export function withPage(shown: Shown, { log, entries, after, lost }: LogPage): Shown {
  const told = shown.told.get(log) ?? 0
  // behind a load balancer servers may take turns, and each begins anew when it is asked to go on in the log of another
  const fresh = entries.filter(({ sequence }) => sequence > told)
  const added: Line[] = []
  if (shown.log !== '' && shown.log !== log && (fresh.length > 0 || told === 0)) {
    added.push({ key: `${log}/${after}/log`, note: OTHER_LOG })
  }
  if (lost > 0) added.push({ key: `${log}/${after}/lost`, note: lostNote(lost) })
  added.push(...fresh.map((entry) => ({ key: `${log}/${entry.sequence}`, entry })))
  if (added.length === 0 && shown.after === after) return shown
  return {
    lines: added.length === 0 ? shown.lines : [...shown.lines, ...added].slice(-MOST_LINES),
    after,
    log,
    told: new Map(shown.told).set(log, fresh.at(-1)?.sequence ?? told),
  }
}

const OTHER_LOG = 'From here on it is the log of another server, or of this one after it was started again.'

function lostNote(lost: number): string {
  return lost === 1
    ? 'One entry was dropped by the server before it could be shown.'
    : `${lost.toLocaleString('en')} entries were dropped by the server before they could be shown.`
}

/** The time of an entry, to the millisecond, in UTC as in the lines that the server writes. */
export function timeOf({ time }: LogEntry): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '')
}

/** The name of the class alone. */
export function shortName({ logger }: LogEntry): string {
  return logger.slice(logger.lastIndexOf('.') + 1)
}

/** All of an entry, to be sent to somebody. */
export function textOf(entry: LogEntry): string {
  const { level, thread, logger, message, stackTrace } = entry
  const head = `${new Date(entry.time).toISOString()} ${level.toUpperCase()} [${thread}] ${logger}: ${message}`
  return stackTrace === null ? head : `${head}\n${stackTrace}`
}
