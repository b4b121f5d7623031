import { describe, expect, it } from 'vitest'
import {
  editableText,
  formatValue,
  InputError,
  isRounded,
  keyIn,
  kindOf,
  parseValue,
  withLineEndsOf,
  type Kind,
} from '../src/server/values'

const CLASSES = [
  { class: '/db/Todo', name: 'Todo', fields: {}, acl: {} },
  { class: '/db/Address', name: 'Address', embedded: true, fields: {}, acl: {} },
]

it.each([
  ['/db/String', 'text'],
  ['/db/Double', 'number'],
  ['/db/Todo', 'reference'],
  ['/db/Address', 'json'],
  ['/db/collection.List[/db/Todo]', 'json'],
  ['/db/Unknown', 'json'],
])('%s is shown as %s', (type, kind) => {
  expect(kindOf(type, CLASSES)).toBe(kind)
})

describe('what is typed', () => {
  it.each<[string, Kind, unknown]>([
    ['', 'text', ''],
    ['  ', 'text', '  '],
    ['a\r\nb', 'text', 'a\r\nb'],
    ['', 'integer', null],
    [' ', 'reference', null],
    [' a ', 'text', ' a '],
    [' 12 ', 'integer', 12],
    ['-1.5', 'number', -1.5],
    ['true', 'boolean', true],
    ['2026-01-31T09:30:00+01:00', 'dateTime', '2026-01-31T08:30:00.000Z'],
    ['2026-01-31 09:30', 'dateTime', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31', 'dateTime', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31', 'date', '2026-01-31'],
    ['a/b', 'reference', '/db/Todo/a%2Fb'],
    ['/db/Other/1', 'reference', '/db/Other/1'],
    ['["a"]', 'json', ['a']],
  ])('%j as %s is %j', (text, kind, value) => {
    expect(parseValue(text, kind, 'Todo')).toEqual(value)
  })

  it.each<[string, Kind]>([
    ['1.5', 'integer'],
    ['99999999999999999', 'integer'],
    ['9007199254740993', 'integer'],
    ['one', 'number'],
    ['yes', 'boolean'],
    ['toString', 'boolean'],
    ['soon', 'dateTime'],
    ['02.03.2026', 'dateTime'],
    ['3', 'dateTime'],
    ['1/2', 'dateTime'],
    ['31.1.2026', 'date'],
    ['{', 'json'],
  ])('%j is refused as %s', (text, kind) => {
    expect(() => parseValue(text, kind)).toThrow(InputError)
  })
})

it.each<[unknown, Kind, string]>([
  [null, 'text', ''],
  [0, 'integer', '0'],
  [false, 'boolean', 'false'],
  ['2026-01-31T09:30:00.000Z', 'dateTime', '2026-01-31 09:30:00Z'],
  [{ a: [1] }, 'json', '{"a":[1]}'],
])('%j of the kind %s reads %j', (value, kind, text) => {
  expect(formatValue(value, kind)).toBe(text)
})

it('shows keys as people wrote them', () => {
  expect(keyIn('/db/Todo/a%2Fb')).toBe('a/b')
  expect(keyIn('/db/Todo/%')).toBe('%')
})

it('tells an empty text from none', () => {
  expect(editableText('', 'text')).toBe('')
  expect(editableText(null, 'text')).toBeNull()
  expect(parseValue(null, 'text')).toBeNull()
})

it.each([
  ['a\r\nb', 'a\nc', 'a\r\nc'],
  ['a\nb', 'a\nc', 'a\nc'],
  ['a\r\nb\n', 'a\nc\n', 'a\nc\n'],
  ['a', 'a\nb', 'a\nb'],
])('keeps the line ends of %j in %j', (before, typed, kept) => {
  expect(withLineEndsOf(before, typed)).toBe(kept)
})

it.each<[unknown, boolean]>([
  [2 ** 53, true],
  [-(2 ** 60), true],
  [2 ** 53 - 1, false],
  [0.5, false],
  ['9007199254740993', false],
])('of %j says that it is rounded: %s', (value, expected) => {
  expect(isRounded(value)).toBe(expected)
})
