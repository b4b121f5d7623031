import { expect, it } from 'vitest'
import { matching, sourceOf, valueOf, type Setting } from '../src/settings/settings'

const setting = (key: string, more: Partial<Setting> = {}): Setting => ({
  key,
  value: '8080',
  source: 'default',
  set: false,
  secret: false,
  type: 'text',
  default: '8080',
  description: `What ${key} does`,
  variable: `ORESTES_${key.toUpperCase()}`,
  ...more,
})

const ALL = [
  setting('port', { source: 'flag', set: true }),
  setting('host', { value: '127.0.0.1' }),
  setting('password', { value: null, secret: true, source: 'environment', set: true }),
]

it.each([
  ['', false, ['port', 'host', 'password']],
  ['', true, ['port', 'password']],
  ['WHAT orestes_p', false, ['port', 'password']],
  ['127.0', false, ['host']],
  ['environment', false, ['password']],
  ['nothing like that', false, []],
])('finds by %j, set only %s, the keys %j', (words, isSetOnly, keys) => {
  expect(matching(ALL, words, isSetOnly).map(({ key }) => key)).toEqual(keys)
})

it('never shows a secret, but whether there is one', () => {
  expect(valueOf(setting('s', { secret: true, value: 'hush', set: true }))).toBe('set, and secret')
  expect(valueOf(setting('s', { secret: true, value: null }))).toBe('not set')
  expect(valueOf(setting('s', { value: '' }))).toBe('none')
})

it('says where a value comes from', () => {
  expect(ALL.map(sourceOf)).toEqual(['flag --port', 'default', 'ORESTES_PASSWORD'])
})
