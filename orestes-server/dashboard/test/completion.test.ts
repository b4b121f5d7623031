import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import filterParser from '../../../invalidb-cluster/src/main/java/io/invalidb/query/filter/FilterParser.java?raw'
import operatorParser from '../../../invalidb-cluster/src/main/java/io/invalidb/query/filter/OperatorParser.java?raw'
import { accepted, completionAt } from '../src/data/filterCompletion'
import { FilterFields } from '../src/data/filterFields'
import { JOINING, ON_FIELDS } from '../src/data/filterOperators'
import { suggestionsFrom } from '../src/data/filterSuggestions'
import type { ClassInfo } from '../src/server/schema'

const classOf = (name: string, types: { [field: string]: string }, embedded = false): ClassInfo => ({
  class: `/db/${name}`,
  name,
  embedded,
  acl: {},
  fields: Object.fromEntries(
    Object.entries(types).map(([field, type]) => [
      field,
      {
        name: field,
        type: `/db/${type}`,
        ...(field === 'state' && { metadata: { 'orestes.enum': '["open","in work"]' } }),
      },
    ]),
  ),
})

const CLASSES = [
  classOf('Place', { city: 'String', zip: 'Integer', within: 'Place' }, true),
  classOf('User', { username: 'String' }),
  classOf('Todo', {
    text: 'String',
    done: 'Boolean',
    priority: 'Integer',
    due: 'DateTime',
    owner: 'User',
    state: 'String',
    shop: 'Place',
    stops: 'collection.List[/db/Place]',
    tags: 'collection.List[/db/String]',
    places: 'collection.Map[/db/String,/db/Place]',
    where: 'GeoPoint',
    'odd"one': 'String',
  }),
]

const FIELDS = new FilterFields('Todo', CLASSES)

/** What completes a text at the `|` in it. */
const complete = (marked: string) => completionAt(marked.replace('|', ''), marked.indexOf('|'), FIELDS)

const labels = (marked: string) => complete(marked)?.candidates.map(({ label }) => label) ?? []

/** The text after a candidate was taken, with `|` where the cursor is. */
function taken(marked: string, label: string): string {
  const completion = complete(marked)
  const candidate = completion?.candidates.find((each) => each.label === label)
  if (completion === undefined || candidate === undefined)
    throw new Error(`${label} is not among ${labels(marked)}`)
  const { from, to, insert, cursor } = accepted(completion, candidate)
  const text = marked.replace('|', '')
  const after = text.slice(0, from) + insert + text.slice(to)
  return `${after.slice(0, cursor)}|${after.slice(cursor)}`
}

describe('fields', () => {
  it('are offered with their types, and with the metadata of all objects', () => {
    const offered = complete('{|')?.candidates.map(({ label, detail }) => `${label}: ${detail}`)
    expect(offered?.slice(0, 3)).toEqual(['text: String', 'done: Boolean', 'priority: Integer'])
    expect(offered).toContain('stops: List[Place]')
    expect(offered).toContain('shop.city: String')
    expect(offered).toContain('updatedAt: DateTime')
    expect(offered).toContain('id: Todo')
  })

  it('that begin with what is typed come first', () => {
    expect(labels('{"ci|')).toEqual(['shop.city', 'stops.city'])
    expect(labels('{"t|').slice(0, 2)).toEqual(['text', 'tags'])
    expect(labels('{pri|')).toEqual(['priority'])
    expect(labels('{"DO|')).toEqual(['done'])
    expect(labels('{"xt|')).toEqual([])
    expect(labels('{"nothing|')).toEqual([])
  })

  it('of embedded objects go as deep as somebody types', () => {
    expect(labels('{"shop.within.c|')).toContain('shop.within.city')
    expect(labels('{"shop.within.within.zi|')).toContain('shop.within.within.zip')
    expect(labels('{"stops.0.zi|')).toContain('stops.0.zip')
    expect(labels('{"places.home.ci|')).toContain('places.home.city')
    expect(labels('{"text.|')).toEqual([])
    expect(labels('{"owner.|')).toEqual([])
  })

  it('are offered once in an object', () => {
    expect(labels('{"done": true, "|')).not.toContain('done')
    expect(labels('{"$or": [{"done": true}, {"|')).toContain('done')
  })

  it('are offered wherever filters stand', () => {
    expect(labels('{"$or": [{"tex|')).toEqual(['text', '$text'])
    expect(labels('{"$and": [{"$nor": [{"a": [1, {"b": "]"}]}, {"tex|')).toEqual(['text', '$text'])
    expect(labels('{"stops": {"$elemMatch": {"ci|')).toEqual(['city', 'within.city'])
    expect(labels('{"stops": {"$elemMatch": {"$or": [{"ci|')).toEqual(['city', 'within.city'])
    expect(labels('{"stops": {"$elemMatch": {"$|')).not.toContain('$text')
    expect(labels('{"shop": {"ci|')).toEqual([])
    expect(labels('{"$expr": {"tex|')).toEqual([])
  })
})

describe('operators', () => {
  const namesIn = (source: string, pattern: RegExp) =>
    [...source.matchAll(pattern)].flatMap(([line]) => line.match(/\$\w+/g) ?? [])

  it('are those that the server reads', () => {
    expect(JOINING.map(({ name }) => name).toSorted()).toEqual(
      namesIn(filterParser, /case "\$.*/g)
        .filter((name, i, all) => all.indexOf(name) === i)
        .toSorted(),
    )
    const beside = ['$options', '$minDistance', '$maxDistance']
    const read = namesIn(operatorParser, /case "\$\w+"(, "\$\w+")*/g)
    expect(ON_FIELDS.map(({ name }) => name).toSorted()).toEqual(
      [...read.filter((name) => name !== '$within'), ...beside].toSorted(),
    )
  })

  it('that join filters stand after the fields', () => {
    expect(labels('{"$|').slice(0, 3)).toEqual(['$and', '$or', '$nor'])
    expect(labels('{|').indexOf('$and')).toBeGreaterThan(labels('{|').indexOf('text'))
    expect(labels('{"$g|')).toEqual([])
  })

  it('that fit the type come first, and the others after them', () => {
    expect(labels('{"priority": {"$|').slice(0, 3)).toEqual(['$gt', '$gte', '$lt'])
    expect(labels('{"text": {"$|').slice(0, 3)).toEqual(['$eq', '$ne', '$regex'])
    expect(labels('{"done": {"$|').slice(0, 3)).toEqual(['$eq', '$ne', '$exists'])
    expect(labels('{"tags": {"$|').slice(0, 3)).toEqual(['$all', '$elemMatch', '$size'])
    expect(labels('{"where": {"$|')[0]).toBe('$near')
    expect(labels('{"shop.zip": {"$|')[0]).toBe('$gt')
    expect(labels('{"stops": {"$elemMatch": {"zip": {"$|')[0]).toBe('$gt')
    expect(labels('{"text": {"$|')).toContain('$bitsAllSet')
    expect(labels('{"unknown": {"$|')[0]).toBe('$eq')
  })

  it('that need another one are offered beside it', () => {
    expect(labels('{"text": {"$op|')).toEqual([])
    expect(labels('{"text": {"$regex": "a", "$op|')).toEqual(['$options'])
    expect(labels('{"where": {"$near": [1, 2], "$max|')).toEqual(['$maxDistance'])
  })

  it('have members', () => {
    expect(labels('{"$text": {"$s|')[0]).toBe('$search')
    expect(labels('{"$text": {"$caseSensitive": |')).toEqual(['true', 'false'])
    expect(labels('{"where": {"$geoWithin": {"$c|').slice(0, 2)).toEqual(['$center', '$centerSphere'])
    expect(labels('{"where": {"$near": {"|')).toEqual(['$geometry'])
  })

  it('are meant in $not as around it', () => {
    expect(labels('{"priority": {"$not": {"$|')[0]).toBe('$gt')
  })
})

describe('values', () => {
  it('are those that there are', () => {
    expect(labels('{"done": |').slice(0, 3)).toEqual(['true', 'false', 'null'])
    expect(labels('{"text": {"$exists": |')).toEqual(['true', 'false'])
    expect(labels('{"state": "|')).toEqual(['"open"', '"in work"'])
    expect(labels('{"state": {"$in": ["open", |')).toEqual(['"open"', '"in work"', 'null'])
    expect(labels('{"state": {"$ne": "in|')).toEqual(['"in work"'])
    expect(labels('{"text": {"$type": ["str|')).toEqual(['"string"'])
    expect(labels('{"priority": {"$gt": 3|')).toEqual([])
    expect(labels('{"text": "mil|')).toEqual([])
    expect(labels('{"text": {"$size": |')).toEqual([])
  })

  it('that are typed already are not offered', () => {
    expect(labels('{"done": false|}')).toEqual([])
    expect(labels('{"do|ne": false}')).toEqual([])
  })

  it('may be operators', () => {
    expect(labels('{"priority": |')).toContain('$gt')
    expect(labels('{"priority": $gte|')).toEqual(['$gte'])
    expect(labels('{"priority": {"$gt": |')).not.toContain('$gt')
  })
})

describe('taking a candidate', () => {
  it.each<[string, string, string]>([
    ['|', 'done', '{"done": |}'],
    ['  do|', 'done', '  {"done": |}'],
    ['|', '$or', '{"$or": [{|}]}'],
    ['{|', 'done', '{"done": |'],
    ['{|}', 'done', '{"done": |}'],
    ['{pri|}', 'priority', '{"priority": |}'],
    ['{"pri|}', 'priority', '{"priority": |}'],
    ['{"pri|"}', 'priority', '{"priority": |}'],
    ['{"pri|": 3}', 'priority', '{"priority"|: 3}'],
    ['{"p|ri": 3}', 'priority', '{"priority"|: 3}'],
    ['{"pri|, "done": true}', 'priority', '{"priority": |, "done": true}'],
    ['{"odd|', 'odd"one', '{"odd\\"one": |'],
    ['{"$o|}', '$or', '{"$or": [{|}]}'],
    ['{"priority": {"$i|}}', '$in', '{"priority": {"$in": [|]}}'],
    ['{"priority": {"$g|": 3}}', '$gte', '{"priority": {"$gte"|: 3}}'],
    ['{"text": {"$r|}}', '$regex', '{"text": {"$regex": "|"}}'],
    ['{"priority": |}', '$gt', '{"priority": {"$gt": |}}'],
    ['{"priority": $i|}', '$in', '{"priority": {"$in": [|]}}'],
    ['{"done": f|}', 'false', '{"done": false|}'],
    ['{"done": |true}', 'false', '{"done": false|}'],
    ['{"state": in|}', '"in work"', '{"state": "in work"|}'],
    ['{"state": "in|"}', '"in work"', '{"state": "in work"|}'],
    ['{"state": "|open"}', '"in work"', '{"state": "in work"|}'],
    ['{"due": {"$lt": |}}', '{"$date": "…"}', '{"due": {"$lt": {"$date": "|"}}}'],
    ['{"owner": |}', '"/db/User/…"', '{"owner": "/db/User/|"}'],
    ['{"owner": "|"}', '"/db/User/…"', '{"owner": "/db/User/|"}'],
    ['{"$or": [|]}', 'done', '{"$or": [{"done": |}]}'],
    ['{"$or": [{"done": true}, |]}', 'text', '{"$or": [{"done": true}, {"text": |}]}'],
  ])('in %s makes of %s', (before, label, after) => {
    expect(taken(before, label)).toBe(after)
  })
})

describe('no list', () => {
  it.each([
    '{"done"|',
    '{"done" |',
    '{"done": true |',
    '{"done": true}|',
    '{"done": true} |',
    '[|',
    '{"done": true]|',
    '{"done": true, , |',
    '{"a": [1}, "|',
    '{: |',
    '|{"done": true}',
    '{"done": |{"$eq": true}}',
    '{"a\\|',
    '{"$comment": "|',
    'done: |',
    '"do|',
    '{"priority": {"$mod": [|',
  ])('is there at %s', (marked) => {
    expect(complete(marked)).toBeUndefined()
  })

  it('comes of very long texts', () => {
    const text = `{"text": "${'a\\n'.repeat(300_000)}", "do`
    expect(completionAt(text, text.length, FIELDS)?.candidates.map(({ label }) => label)).toEqual(['done'])
    const deep = '{"$and": ['.repeat(50_000)
    expect(completionAt(deep, deep.length, FIELDS)).toBeDefined()
  })

  it('is endless where classes embed each other', () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, 'Wide']))
    const fields = new FilterFields('Wide', [classOf('Wide', many, true)])
    expect(fields.below('').length).toBe(500)
  })
})

describe('suggestions in the editor', () => {
  const suggested = (doc: string, explicit: boolean) => {
    const context = new CompletionContext(EditorState.create({ doc }), doc.length, explicit)
    return suggestionsFrom(() => FIELDS)(context)
  }

  it('replace what is typed, and stay in their order', () => {
    expect(suggested('{"pri', false)).toMatchObject({
      from: 1,
      to: 5,
      filter: false,
      options: [{ label: 'priority', detail: 'Integer', isBegun: true }],
    })
    expect(suggested('{"nothing', true)).toBeNull()
  })

  it('are made in an empty filter on demand only', () => {
    expect(suggested(' ', false)).toBeNull()
    expect(suggested(' ', true)).toMatchObject({ from: 1, to: 1 })
  })
})
