import { describe, expect, it } from 'vitest'
import { parametersOf, type Answer, type Events, type Question, type Step } from '../src/explain/explanation'
import { OPERATIONS, operationOf } from '../src/explain/operations'
import { decidingStep, eventSentences, sentenceOf, toldSentence, verdictOf } from '../src/explain/sentences'
import openapi from '../../../schema/openapi.json'

const QUESTION: Question = {
  username: 'ann',
  operation: 'load',
  bucket: 'Todo',
  key: 'a/b',
  filter: '',
  sort: '',
  start: '',
  count: '',
}

const answer = (...steps: Step[]): Answer => ({
  explanation: { granted: steps.every(({ granted }) => granted), identities: [], admin: false, steps },
  names: new Map([['/db/Role/7', 'the role editor']]),
})

const step = (level: Step['level'], rule: string, granted: boolean, more: Partial<Step> = {}): Step => ({
  level,
  rule,
  granted,
  ...more,
})

it('knows the operations that the server knows, and no others', () => {
  const { parameters } = openapi.paths['/-/explain'].get
  const operation = parameters.find(({ name }) => name === 'operation')

  expect(OPERATIONS.flatMap(({ all }) => all.map(({ name }) => name)).sort()).toEqual(
    [...(operation?.schema.enum ?? [])].sort(),
  )
  expect(operationOf('none').name).toBe('load')
})

it('has a sentence for every rule that the server knows', () => {
  const { properties } = openapi.paths['/-/explain'].get.responses['200'].content['application/json'].schema
  for (const rule of properties.steps.items.properties.rule.enum) {
    expect(sentenceOf(step('object', rule, false, { permission: 'read', by: [] }), new Map())).toMatch(
      /^[A-Z“].*[^:]\.$/,
    )
  }
})

describe('a question', () => {
  it('is about an object by its encoded id', () => {
    expect(Object.fromEntries(parametersOf(QUESTION, '/db/User/1'))).toEqual({
      caller: '/db/User/1',
      operation: 'load',
      ref: '/db/Todo/a%2Fb',
    })
  })

  it('is about the class where the operation has no object', () => {
    expect(parametersOf({ ...QUESTION, operation: 'export' }, '').get('ref')).toBe('/db/Todo')
  })

  it('has a live query where one is asked about only', () => {
    const live = { ...QUESTION, filter: '{"n":1}', sort: '{"n":-1}', start: ' 2', count: '3' }
    const asked = parametersOf({ ...live, operation: 'subscribe' }, '')

    expect(['q', 'sort', 'start', 'count'].map((name) => asked.get(name))).toEqual([
      '{"n":1}',
      '{"n":-1}',
      '2',
      '3',
    ])
    expect(parametersOf(live, '').has('q')).toBe(false)
  })

  it.each([{ filter: '{' }, { sort: 'text' }, { start: '-1' }, { count: 'all' }])(
    'with %o is refused before it is sent',
    (wrong) => {
      expect(() => parametersOf({ ...QUESTION, operation: 'subscribe', ...wrong }, '')).toThrow()
    },
  )
})

describe('an answer', () => {
  it('is decided on by the first step that refuses', () => {
    const refusal = step('object', 'deny', false, { permission: 'read', by: ['/db/Role/7'] })
    const found = answer(step('class', 'unrestricted', true, { permission: 'load' }), refusal)

    expect(decidingStep(found)).toBe(refusal)
    expect(verdictOf(QUESTION, found)).toBe('No, ann may not read it by its id: Todo a/b.')
    expect(sentenceOf(refusal, found.names)).toBe(
      'The permission “read” of the object refuses it, since it denies the role editor.',
    )
  })

  it('is yes where nothing refuses', () => {
    const found = answer(step('class', 'admin', true, { permission: 'load' }))

    expect(decidingStep(found)).toBeUndefined()
    expect(verdictOf({ ...QUESTION, username: '', key: '' }, found)).toBe(
      'Yes, who is not logged in may read it by its id: the class Todo.',
    )
  })

  it('tells what is missing from what need not be there', () => {
    expect(sentenceOf(step('object', 'missing', false), new Map())).toBe('There is no such object.')
    expect(sentenceOf(step('object', 'missing', true), new Map())).toMatch(/need not/)
  })
})

describe('events', () => {
  const NOTHING: Events = { active: false, told: [], lastWrite: null, index: null, unknown: [] }
  const date = '2026-01-31T09:30:00Z'

  it('are told in sentences', () => {
    expect(toldSentence({ matchType: 'remove', operation: 'update', version: 2, date })).toBe(
      `${date}: it left the result, after an update (version 2)`,
    )
    expect(toldSentence({ matchType: 'add', operation: 'none', version: 1, date, index: 0 })).toContain(
      'place 1',
    )
  })

  it('say what the last write means for who had the object and who had it not', () => {
    const lastWrite = { version: 3, date, operation: 'update', readable: false, matches: true }
    const sentences = eventSentences({
      ...NOTHING,
      lastWrite: { ...lastWrite, whoHadIt: 'remove', whoHadItNot: null },
    })

    expect(sentences).toContain('The caller may not read it, and it meets the filter.')
    expect(sentences).toContain('Who had the object in the result is told that it left the result.')
    expect(sentences).toContain('Who had it not is told nothing.')
  })

  it('say no more of a write than is known', () => {
    expect(eventSentences({ ...NOTHING, lastWrite: { version: 3, date } })).toEqual([
      'Nobody is subscribed to this query with these rights at this server.',
      `The last write that is known made version 3, at ${date}.`,
    ])
  })
})
