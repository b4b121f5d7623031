import { ConnectionError, ServerError } from '@orestes/sdk'
import { expect, it } from 'vitest'
import { messageOf } from '../src/server/messages'

it.each<[unknown, RegExp]>([
  [new ConnectionError('no', true), /offline/],
  [new ConnectionError('no', false), /does not answer/],
  [new ServerError(503, 'Unavailable', 'busy'), /at the moment: busy/],
  [new TypeError('Failed to fetch dynamically imported module: http://h/live-1.js'), /Reload the page/],
  [new TypeError('x is undefined'), /x is undefined/],
  ['text', /text/],
])('says of %o what to do', (error, said) => {
  expect(messageOf(error)).toMatch(said)
})
