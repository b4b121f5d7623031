import { ConnectionError, ServerError } from '@orestes/sdk'
import type { Target } from '../server/purges'
import { STATES, type State } from '../ui/State'
import type { Member, Queues, Report, StoreHealth } from './status'

/** What the page tells of, in its order. */
export const PARTS = ['Server', 'Storage', 'Coordination', 'Shared caches', 'Queues'] as const

export type Part = (typeof PARTS)[number]

/** For longer than that a task waits for a thread where too much blocks. */
const LONG_WAIT_MILLIS = 500

/** A shared cache that has confirmed nothing for that long is away rather than slow. */
const AWAY_AFTER_MILLIS = 60_000

/** How each part is; what was told before the last request failed says nothing about now. */
export function statesOf(
  report: Report | undefined,
  error: Error | undefined,
): Readonly<Record<Part, State>> {
  if (error !== undefined || report === undefined) {
    const isAway = error instanceof ServerError && error.status === 503
    return {
      Server: isAway || error instanceof ConnectionError ? 'broken' : 'unknown',
      Storage: isAway ? 'broken' : 'unknown',
      Coordination: 'unknown',
      'Shared caches': 'unknown',
      Queues: 'unknown',
    }
  }
  return {
    Server: report.ready ? 'good' : 'broken',
    Storage: stateOfStore(report.store),
    Coordination: stateOfCoordinator(report),
    'Shared caches': worst(report.purges.targets.map(stateOfTarget)),
    Queues: stateOfQueues(report.queues),
  }
}

/** All that is not good in one sentence, for those who cannot see it at a glance. */
export function summaryOf(states: Readonly<Record<Part, State>>): string {
  if (PARTS.every((part) => states[part] === 'good')) return 'All is well.'
  const told = (['broken', 'attention', 'unknown'] as const).flatMap((state) => {
    const parts = PARTS.filter((part) => states[part] === state)
    return parts.length === 0 ? [] : [`${STATES[state].word}: ${parts.join(', ').toLowerCase()}.`]
  })
  return told.join(' ')
}

function stateOfStore({ reachable, changes }: StoreHealth): State {
  if (!reachable) return 'broken'
  return changes?.role === 'interrupted' ? 'attention' : 'good'
}

function stateOfCoordinator({ coordinator, store: { changes } }: Report): State {
  const { reachable, current, changeReader, servers } = coordinator
  if (!reachable || !current) return 'broken'
  const isUnread = changes !== undefined && changeReader === null
  return isUnread ? 'attention' : worst(servers.map(stateOfMember))
}

/** This server is as the whole card says. */
export function stateOfMember({ self, link }: Member): State {
  if (self) return 'good'
  if (link === null) return 'attention'
  if (link.bytes > link.maxBytes / 2) return 'broken'
  return link.connected ? 'good' : 'attention'
}

export function stateOfTarget({ late, sinceConfirmedMs }: Target): State {
  if (!late) return 'good'
  return sinceConfirmedMs === null || sinceConfirmedMs > AWAY_AFTER_MILLIS ? 'broken' : 'attention'
}

function stateOfQueues({ matchingLate, passwords, maxPasswords, workersMs }: Queues): State {
  if (workersMs === null) return 'broken'
  const isBusy = matchingLate || passwords >= maxPasswords || workersMs > LONG_WAIT_MILLIS
  return isBusy ? 'attention' : 'good'
}

/** That of the part that is worst off; good if there is none. */
function worst(states: readonly State[]): State {
  return (['broken', 'attention'] as const).find((state) => states.includes(state)) ?? 'good'
}
