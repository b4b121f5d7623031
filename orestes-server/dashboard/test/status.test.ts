import { ConnectionError, CredentialsError, ServerError } from '@orestes/sdk'
import { expect, it } from 'vitest'
import type { Target } from '../src/server/purges'
import { statesOf, summaryOf } from '../src/health/states'
import { changeReaderOf, conditionOf, memberName, type Member, type Report } from '../src/health/status'

const REPORT: Report = {
  version: '1.2',
  ready: true,
  store: { name: 'MongoDB 7', missing: [], reachable: true, answerMs: 1 },
  coordinator: {
    kind: 'ZooKeeper',
    reachable: true,
    current: true,
    leaseMs: 5000,
    changeReader: 'b',
    servers: [
      { id: 'a', address: '10.0.0.1:90', self: true, link: null },
      { id: 'b', address: '10.0.0.2:90', self: false, link: link() },
    ],
  },
  purges: { lagMs: 0, targets: [target()] },
  queues: { matching: 0, matchingLate: false, passwords: 0, maxPasswords: 128, workersMs: 0.1 },
}

const STORE_AWAY: Report = {
  ...REPORT,
  ready: false,
  store: { ...REPORT.store, reachable: false, answerMs: null },
}

function link(changed: Partial<NonNullable<Member['link']>> = {}): NonNullable<Member['link']> {
  return { connected: true, unanswered: 0, bytes: 0, maxBytes: 100, ...changed }
}

function target(changed: Partial<Target> = {}): Target {
  const counts = { backlog: 0, sent: 1, confirmed: 1, failed: 0, dead: 0, flushes: 1 }
  return { name: 'v', late: false, ...counts, sinceConfirmedMs: 10, medianMs: 1, p99Ms: 1, ...changed }
}

const unavailable = new ServerError(503, 'Unavailable', 'no')
const gone = new ConnectionError('no answer', false)
const ended = new CredentialsError(460, 'Bad Credentials', 'ended')

it.each<[string, Report | undefined, Error | undefined, RegExp, RegExp | undefined]>([
  ['nothing yet', undefined, undefined, /^Asking/, undefined],
  ['an answer', REPORT, undefined, /^Orestes 1.2, ready$/, /^Objects are kept by MongoDB 7\.$/],
  [
    'a store that is away',
    REPORT,
    unavailable,
    /^Orestes 1.2, not ready/,
    /MongoDB 7, which does not answer/,
  ],
  [
    'a store of which the server says so',
    STORE_AWAY,
    undefined,
    /^Orestes 1.2, not ready/,
    /MongoDB 7, which does not answer/,
  ],
  ['a server that ends', { ...REPORT, ready: false }, undefined, /^Orestes 1.2, stopping$/, /MongoDB 7\.$/],
  ['that at once', undefined, unavailable, /^Orestes, not ready/, /a store, which does not answer/],
  ['a server that is away', REPORT, gone, /does not answer$/, /MongoDB 7; whether it answers is not known/],
  ['that at once', undefined, gone, /does not answer$/, undefined],
  ['a session that ended', REPORT, ended, /whether it is ready is not known/, /not known/],
])('tells of %s', (_, report, error, server, storage) => {
  const condition = conditionOf(report, error)

  expect(condition.server).toMatch(server)
  if (storage === undefined) expect(condition.storage).toBeUndefined()
  else expect(condition.storage).toMatch(storage)
})

const [self, other] = REPORT.coordinator.servers as readonly [Member, Member]

function withCoordinator(changed: Partial<Report['coordinator']>): Report {
  return { ...REPORT, coordinator: { ...REPORT.coordinator, ...changed } }
}

const withLink = (changed: Partial<NonNullable<Member['link']>>) =>
  withCoordinator({ servers: [self, { ...other, link: link(changed) }] })

const withTarget = (changed: Partial<Target>) => ({
  ...REPORT,
  purges: { lagMs: 0, targets: [target(), target(changed)] },
})

const withQueues = (changed: Partial<Report['queues']>) => ({
  ...REPORT,
  queues: { ...REPORT.queues, ...changed },
})

const withChanges = (role: string, changeReader: string | null): Report => ({
  ...withCoordinator({ changeReader }),
  store: { ...REPORT.store, changes: { role } },
})

it.each<[string, Report | undefined, Error | undefined, string]>([
  ['a sound server', REPORT, undefined, 'All is well.'],
  ['a store that is away', STORE_AWAY, undefined, 'Broken: server, storage.'],
  ['changes that are not read', withChanges('interrupted', 'a'), undefined, 'Needs attention: storage.'],
  ['changes that nobody reads', withChanges('following', null), undefined, 'Needs attention: coordination.'],
  ['nobody who reads what nobody tells', withCoordinator({ changeReader: null }), undefined, 'All is well.'],
  ['a ZooKeeper that is away', withCoordinator({ reachable: false }), undefined, 'Broken: coordination.'],
  ['a server without the others', withCoordinator({ current: false }), undefined, 'Broken: coordination.'],
  ['a link that is down', withLink({ connected: false }), undefined, 'Needs attention: coordination.'],
  ['a link that is half full', withLink({ bytes: 51 }), undefined, 'Broken: coordination.'],
  ['a cache that is late', withTarget({ late: true }), undefined, 'Needs attention: shared caches.'],
  [
    'a cache that is away',
    withTarget({ late: true, sinceConfirmedMs: 60_001 }),
    undefined,
    'Broken: shared caches.',
  ],
  [
    'a cache that never was there',
    withTarget({ late: true, sinceConfirmedMs: null }),
    undefined,
    'Broken: shared caches.',
  ],
  ['writes that wait', withQueues({ matchingLate: true }), undefined, 'Needs attention: queues.'],
  ['too many passwords', withQueues({ passwords: 128 }), undefined, 'Needs attention: queues.'],
  ['threads that are busy', withQueues({ workersMs: 501 }), undefined, 'Needs attention: queues.'],
  ['threads that are blocked', withQueues({ workersMs: null }), undefined, 'Broken: queues.'],
  [
    'a server that is away',
    REPORT,
    gone,
    'Broken: server. Not known: storage, coordination, shared caches, queues.',
  ],
  [
    'a store that keeps admins out',
    undefined,
    unavailable,
    'Broken: server, storage. Not known: coordination, shared caches, queues.',
  ],
])('sums up %s', (_, report, error, summary) => {
  expect(summaryOf(statesOf(report, error))).toBe(summary)
})

it('names servers by their addresses, and who reads changes', () => {
  expect(memberName(self)).toBe('10.0.0.1:90 (this server)')
  expect(memberName({ ...self, address: '' })).toBe('This server')
  expect(changeReaderOf(REPORT.coordinator)).toBe('10.0.0.2:90')
  expect(changeReaderOf({ ...REPORT.coordinator, changeReader: 'gone' })).toBe('a server that has left')
  expect(changeReaderOf({ ...REPORT.coordinator, changeReader: null })).toBe('none')
})
