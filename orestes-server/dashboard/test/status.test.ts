import { ConnectionError, CredentialsError, ServerError } from '@orestes/sdk'
import { expect, it } from 'vitest'
import { conditionOf, type Status } from '../src/health/status'

const STATUS: Status = { version: '1.2', store: { name: 'MongoDB 7', missing: [] } }
const unavailable = new ServerError(503, 'Unavailable', 'no')
const gone = new ConnectionError('no answer', false)
const ended = new CredentialsError(460, 'Bad Credentials', 'ended')

it.each<[string, Status | undefined, Error | undefined, RegExp, RegExp | undefined]>([
  ['nothing yet', undefined, undefined, /^Asking/, undefined],
  ['an answer', STATUS, undefined, /^Orestes 1.2, ready$/, /^Objects are kept by MongoDB 7\.$/],
  [
    'a store that is away',
    STATUS,
    unavailable,
    /^Orestes 1.2, not ready/,
    /MongoDB 7, which does not answer/,
  ],
  ['that at once', undefined, unavailable, /^Orestes, not ready/, /a store, which does not answer/],
  ['a server that is away', STATUS, gone, /does not answer$/, /MongoDB 7; whether it answers is not known/],
  ['that at once', undefined, gone, /does not answer$/, undefined],
  ['a session that ended', STATUS, ended, /whether it is ready is not known/, /not known/],
])('tells of %s', (_, status, error, server, storage) => {
  const condition = conditionOf(status, error)

  expect(condition.server).toMatch(server)
  if (storage === undefined) expect(condition.storage).toBeUndefined()
  else expect(condition.storage).toMatch(storage)
})
