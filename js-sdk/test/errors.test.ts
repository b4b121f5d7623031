import { expect, it } from 'vitest'
import errors from '../../schema/errors.json' with { type: 'json' }
import {
  ConnectionError,
  connect,
  CredentialsError,
  ERROR_CODES,
  ExistsError,
  NotFoundError,
  OrestesError,
  OutOfDateError,
  PermissionError,
  ProtocolError,
  ServerError,
} from '../src/index.js'
import { toServerError } from '../src/wire.js'
import { fakeServer } from './fakeServer.js'

const KINDS: Record<string, typeof ServerError> = {
  OBJECT_NOT_FOUND: NotFoundError,
  OBJECT_OUT_OF_DATE: OutOfDateError,
  OBJECT_EXISTS: ExistsError,
  UNIQUE_INDEX_EXCEPTION: ExistsError,
  PERMISSION_DENIED: PermissionError,
  BAD_CREDENTIALS: CredentialsError,
}

async function failure(answer: Parameters<typeof fakeServer>[0][string]) {
  const { fetch } = fakeServer({ 'GET /db/Todo/a': answer })
  const db = await connect('http://test', { fetch })
  return db
    .bucket('Todo')
    .load('a')
    .then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )
}

it('knows the codes of the schema, and no others', () => {
  expect(ERROR_CODES).toEqual(errors.map(({ code }) => code))
})

it.each(errors)('$code is an error of its kind', async ({ code, status, className, reason }) => {
  const error = await failure({
    status,
    body: { status, className, reason, message: 'no', data: { why: 1 } },
  })

  expect(error).toBeInstanceOf(KINDS[code] ?? ServerError)
  expect(error).toMatchObject({ code, status, reason, message: 'no', data: { why: 1 } })
  expect(error).toHaveProperty('name', (KINDS[code] ?? ServerError).name)
})

it('takes an answer that is not from the server for what its status says', async () => {
  const error = await failure({ status: 502, body: 'Bad Gateway', headers: { 'Retry-After': '7' } })

  expect(error).toMatchObject({ code: 'UNKNOWN', status: 502, retryAfterSeconds: 7 })
})

it('tells that no answer arrived, and keeps the cause', async () => {
  const cause = new TypeError('fetch failed')
  const error = await failure(cause)

  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ code: 'CONNECTION', isOffline: false, cause })
})

it('tells of answers that are not of the protocol', async () => {
  expect(await failure({ body: { text: 'no id' } })).toBeInstanceOf(ProtocolError)
  expect(await failure({})).toBeInstanceOf(OrestesError)
})

it.each(['constructor', 'toString', '__proto__'])('is of its own kind, whatever the reason: %s', (reason) => {
  expect(toServerError(502, { reason })).toBeInstanceOf(ServerError)
})
