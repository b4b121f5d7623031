import { ServerError } from '@orestes/sdk'
import { describe, expect, it } from 'vitest'
import type { ClassInfo } from '../src/server/schema'
import { csvLine, CsvReader, delimiterIn, guarded, unguarded, type Delimiter } from '../src/transfer/csv'
import { AtOnce } from '../src/transfer/atOnce'
import { exportClass, type Format } from '../src/transfer/exporting'
import { cellsOf, exportedFields, importedFields, jsonOf } from '../src/transfer/fields'
import { formatOf, Import, previewOf, readerOf, type Existing } from '../src/transfer/importing'
import { membersOf, Splitter } from '../src/transfer/jsonText'
import { idsFor } from '../src/transfer/newIds'
import { isBad, type ImportRow } from '../src/transfer/rowReaders'
import { Download, type Sink } from '../src/transfer/sink'

const field = (name: string, type: string) => ({ name, type: `/db/${type}` })

const CLASSES = [
  {
    name: 'Todo',
    class: '/db/Todo',
    fields: {
      text: field('text', 'String'),
      done: field('done', 'Boolean'),
      n: field('n', 'Integer'),
      next: field('next', 'Todo'),
      tags: field('tags', 'collection.List[/db/String]'),
    },
    acl: {},
  },
] as unknown as readonly ClassInfo[]

const FIELDS = importedFields('Todo', CLASSES)

const signal = new AbortController().signal

/** All ways to cut a text in two. */
const cuts = (text: string) =>
  Array.from({ length: text.length + 1 }, (_, i) => [text.slice(0, i), text.slice(i)])

describe('a JSON array', () => {
  it('is split wherever its text is cut', () => {
    const text = ' [ {"a":"],\\"}{"} , {"b":[1,{"c":2}]},\n3 ] '
    for (const pieces of cuts(text)) {
      const splitter = new Splitter()
      expect(pieces.flatMap((piece) => splitter.push(piece))).toEqual([
        '{"a":"],\\"}{"}',
        '{"b":[1,{"c":2}]}',
        '3',
      ])
      splitter.end()
    }
  })

  it('may be empty', () => {
    const splitter = new Splitter()
    expect(splitter.push('[ ]\n')).toEqual([])
    splitter.end()
  })

  it.each(['', '[', '[{}', '[{}]]', '{}', '[1,]', '[,1]', '[1,,2]', 'x', '[{"a":"'])('is not %s', (text) => {
    expect(() => {
      const splitter = new Splitter()
      splitter.push(text)
      splitter.end()
    }).toThrow()
  })

  it('has no parts that are larger than objects can be', () => {
    const splitter = new Splitter()
    expect(() => {
      splitter.push('["')
      for (let i = 0; i < 20; i++) splitter.push('x'.repeat(2 ** 20))
    }).toThrow(/16 MB/)
  })

  it('of members keeps all digits', () => {
    expect([...membersOf('{ "a\\"b" : 12345678901234567890 ,"c":{"d":1}}')]).toEqual([
      ['a"b', '12345678901234567890'],
      ['c', '{"d":1}'],
    ])
  })
})

describe('CSV', () => {
  const rows = [
    ['a', '', null],
    ['x,"y"', 'two\r\nlines', ' spaced '],
  ]
  const text = rows.map(csvLine).join('')

  it('is quoted as RFC 4180 has it', () => {
    expect(text).toBe('a,"",\r\n"x,""y""","two\r\nlines"," spaced "\r\n')
  })

  it('is read wherever its text is cut', () => {
    for (const pieces of cuts(text)) {
      const reader = new CsvReader(',')
      const read = pieces.flatMap((piece) => reader.push(piece))
      expect([...read, ...reader.end()]).toEqual(rows)
    }
  })

  it.each(['a\nb', 'a\r\nb\r\n', 'a\rb', 'a\n\n\nb'])('has rows whatever ends the lines: %j', (lines) => {
    const reader = new CsvReader(',')
    expect([...reader.push(lines), ...reader.end()]).toEqual([['a'], ['b']])
  })

  it.each(['"a', '"a"b', 'a"b"'])('does not have %s', (wrong) => {
    expect(() => {
      const reader = new CsvReader(',')
      reader.push(wrong)
      reader.end()
    }).toThrow()
  })

  it.each<[Delimiter, string]>([
    [';', 'a;b;c,d\n1,2,3,4;5'],
    ['\t', '"a,b,c"\tb\n1;2;3;4\t5'],
    [',', 'a,b;c,d\r\n'],
    [',', 'a'],
    [';', '"a, b, c";"d\n,,,";e'],
  ])('is taken for one with %j by the names of its columns', (delimiter, text) => {
    expect(delimiterIn(text)).toBe(delimiter)
  })

  it.each<Delimiter>([';', '\t'])('may have %j between its values', (delimiter) => {
    const reader = new CsvReader(delimiter)
    expect(reader.push(`a${delimiter}"b${delimiter}""c"""${delimiter}d,e\n`)).toEqual([
      ['a', `b${delimiter}"c"`, 'd,e'],
    ])
  })

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '＝1', "'=1", "''-1"])(
    'does not let a spreadsheet calculate %j',
    (formula) => {
      expect(guarded(formula)).toBe(`'${formula}`)
      expect(unguarded(guarded(formula))).toBe(formula)
    },
  )

  it.each(['a=1', "'quoted'", '', '1-2'])('leaves %j as it is', (plain) => {
    expect(guarded(plain)).toBe(plain)
    expect(unguarded(plain)).toBe(plain)
  })
})

describe('a row', () => {
  it('has what an object has, and comes back to it', () => {
    const object =
      '{"id":"/db/Todo/a","version":3,"text":"=1","done":false,"n":-9007199254740993,"next":null,"tags":["x,y"],"acl":null}'
    const cells = cellsOf(object, FIELDS)

    expect(cells).toEqual(['/db/Todo/a', "'=1", 'false', '-9007199254740993', null, '["x,y"]', null])
    expect(FIELDS.map((each, i) => jsonOf(cells[i] ?? null, each))).toEqual([
      '"/db/Todo/a"',
      '"=1"',
      'false',
      '-9007199254740993',
      'null',
      '["x,y"]',
      'null',
    ])
  })

  it('tells an empty text from none', () => {
    const [text] = FIELDS.filter(({ name }) => name === 'text')
    expect(cellsOf('{"text":""}', [text!])).toEqual([''])
    expect([jsonOf('', text!), jsonOf(null, text!)]).toEqual(['""', 'null'])
  })

  it.each([
    ['done', 'TRUE', 'true'],
    ['n', ' 007 ', '7'],
    ['next', 'a b', '"/db/Todo/a%20b"'],
    ['tags', '["a"]', '["a"]'],
    ['done', 'perhaps', undefined],
    ['n', '1.5', undefined],
    ['tags', '[', undefined],
  ])('reads %s from %s', (name, cell, json) => {
    const column = FIELDS.find((each) => each.name === name)!
    if (json === undefined) expect(() => jsonOf(cell, column)).toThrow(new RegExp(`^${name}: `))
    else expect(jsonOf(cell, column)).toBe(json)
  })
})

/** Remembers what is written. */
class Memory implements Sink {
  text = ''
  end: string | undefined
  write = async (text: string) => void (this.text += text)
  close = async () => void (this.end = 'closed')
  abort = async () => void (this.end = 'aborted')
}

describe('an export', () => {
  const begin = (format: Format, body: string) => {
    const sink = new Memory()
    const client = { response: async () => new Response(body) }
    const fields = exportedFields('Todo', CLASSES)
    const run = () => exportClass({ client, bucket: 'Todo', format, fields, sink, signal, tell: () => {} })
    return { sink, run }
  }

  it('as JSON is what the server streams', async () => {
    const { sink, run } = begin('json', '[{"n":1},{"n":2}]')

    expect((await run()).objects).toBe(2)
    expect(sink).toMatchObject({ text: '[{"n":1},{"n":2}]', end: 'closed' })
  })

  it('as CSV has a row for each object', async () => {
    const { sink, run } = begin('csv', '[{"id":"/db/Todo/a","version":1,"text":"tea"}]')

    await run()
    expect(sink.text).toBe(
      '\uFEFFid,text,done,n,next,tags,acl,version,createdAt,updatedAt\r\n/db/Todo/a,tea,,,,,,1,,\r\n',
    )
  })

  describe('of what matches a filter', () => {
    const signal = new AbortController().signal

    const ofPages = async (...pages: string[]) => {
      const bodies: unknown[] = []
      const sink = new Memory()
      const response = async (_path: string, request: { readonly body?: unknown } = {}) => {
        bodies.push(request.body)
        return new Response(pages.shift())
      }
      const options = { bucket: 'Todo', format: 'json', fields: [], sink, signal, tell: () => {} } as const
      const exported = await exportClass({ ...options, client: { response }, filter: { done: true } })
      return { exported, bodies, sink }
    }

    it('goes on behind the last object until there is none, and keeps all digits', async () => {
      const { exported, bodies, sink } = await ofPages(
        '[{"id":"a","n":12345678901234567890}]',
        '[{"id":"b"}]',
        '[]',
      )

      expect(sink).toMatchObject({ text: '[{"id":"a","n":12345678901234567890},{"id":"b"}]', end: 'closed' })
      expect(exported.objects).toBe(2)
      expect(bodies).toEqual([
        { done: true },
        { $and: [{ done: true }, { id: { $gt: 'a' } }] },
        { $and: [{ done: true }, { id: { $gt: 'b' } }] },
      ])
    })

    it('is an empty array where nothing does', async () => {
      expect((await ofPages('[]')).sink).toMatchObject({ text: '[]', end: 'closed' })
    })
  })

  it('that ends in the middle leaves nothing', async () => {
    const { sink, run } = begin('json', '[{"n":1}')

    await expect(run()).rejects.toThrow(/middle/)
    expect(sink.end).toBe('aborted')
  })

  it('is no larger than what may be kept in memory', async () => {
    const download = new Download('Todo.json', 2 ** 23)
    await download.write('x'.repeat(2 ** 22))
    await download.write('x'.repeat(2 ** 22))

    await expect(download.write('x'.repeat(2 ** 22))).rejects.toThrow(/not possible/)
  })
})

interface SentRow {
  readonly id: string
  readonly n?: number
}

interface Sent {
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** A server that refuses objects whose `n` is 13, whole requests with one whose `n` is 400, and breaks at 503. */
function server(pause = async () => {}) {
  const requests: SentRow[][] = []
  const stored = new Map<string, SentRow>()
  const put = (row: SentRow, isMaking: boolean) => {
    if (row.n === 13) return { id: row.id, status: 463, error: 'unlucky' }
    if (isMaking && stored.has(row.id)) return { id: row.id, status: 412, error: 'there' }
    stored.set(row.id, row)
    return undefined
  }
  const request = async (_path: string, { body, headers }: Sent = {}) => {
    const rows = JSON.parse(String(body)) as SentRow[]
    for (const status of [400, 503]) {
      if (rows.some(({ n }) => n === status)) throw new ServerError(status, 'Bad Request', `it is ${status}`)
    }
    requests.push(rows)
    await pause()
    const isMaking = headers?.['If-None-Match'] === '*'
    return rows.map((row) => put(row, isMaking)).filter((failure) => failure !== undefined)
  }
  return { requests, stored, client: { request } }
}

interface ImportSettings {
  readonly format?: Format
  readonly existing?: Existing
  readonly delimiter?: Delimiter
  readonly abort?: AbortController
  readonly at?: ReturnType<typeof server>
}

const fileOf = (text: string, format: Format = 'json') =>
  new File([text], `Todo.${format}`, { lastModified: 1_700_000_000_000 })

function importOf(text: string, settings: ImportSettings = {}) {
  const { format = 'json', existing = 'replace', delimiter, abort = new AbortController() } = settings
  const { requests, stored, client } = settings.at ?? server()
  const told: number[] = []
  const file = fileOf(text, format)
  const run = () =>
    new Import({
      client,
      bucket: 'Todo',
      file,
      reader: readerOf({ file, format, delimiter, existing }, 'Todo', FIELDS),
      existing,
      signal: abort.signal,
      tell: (progress) => told.push(progress.stored),
    }).run()
  return { requests, stored, run, told }
}

const array = (...rows: object[]) => JSON.stringify(rows)

describe('an import', () => {
  it('sends objects as they are, and names those that have no id', async () => {
    const { requests, run } = importOf('[{"id":"/db/Todo/a","n":1},{"id":null,"n":2},{}]')

    expect(await run()).toMatchObject({ stored: 3, left: 0, refused: 0 })
    const [first, ...named] = requests.flat()
    expect(first).toEqual({ id: '/db/Todo/a', n: 1 })
    expect(named.map(({ id }) => id.replace(/[0-9a-f]{16}/, 'mark'))).toEqual([
      '/db/Todo/mark-0000002',
      '/db/Todo/mark-0000003',
    ])
  })

  it('that is tried again makes no object twice, and undoes no change of those that it made', async () => {
    const at = server()
    const rows = array({ n: 1 }, { n: 2 })
    expect(await importOf(rows, { at }).run()).toMatchObject({ stored: 2 })
    const [made] = at.stored.keys()
    at.stored.set(made!, { id: made!, n: 99 })

    const again = await importOf(rows, { at }).run()

    expect(again).toMatchObject({ stored: 0, left: 2, refused: 0 })
    expect(at.stored.get(made!)).toEqual({ id: made, n: 99 })
    expect(at.stored.size).toBe(2)
  })

  it.each<[Existing, object, number]>([
    ['replace', { stored: 2, left: 0, refused: 0 }, 1],
    ['leave', { stored: 1, left: 1, refused: 0 }, 7],
    ['refuse', { stored: 1, left: 0, refused: 1 }, 7],
  ])('can %s what is there', async (existing, counts, n) => {
    const at = server()
    at.stored.set('a', { id: 'a', n: 7 })

    const imported = await importOf(array({ id: 'a', n: 1 }, { id: 'b' }), { at, existing }).run()

    expect(imported).toMatchObject(counts)
    expect(at.stored.get('a')).toEqual({ id: 'a', n })
    expect(imported.problems).toEqual(
      existing === 'refuse' ? [{ number: 1, problem: 'There is a already' }] : [],
    )
  })

  it('tells which rows were refused and why', async () => {
    const rows = [{ id: 'a', n: 1 }, { id: 'b', n: 13 }, { id: 'c', n: 400 }, { id: 'd' }, { id: 7 }]
    const { run } = importOf(`${array(...rows).slice(0, -1)},5,{"x":}]`)

    const { stored, problems } = await run()

    expect(stored).toBe(2)
    expect([...problems].sort((a, b) => a.number - b.number)).toEqual([
      { number: 2, problem: 'unlucky' },
      { number: 3, problem: 'it is 400' },
      { number: 5, problem: 'The id has to be a text' },
      { number: 6, problem: 'This is no object' },
      { number: 7, problem: expect.stringMatching(/no JSON/) },
    ])
  })

  it('keeps the order of rows with the same id', async () => {
    const { requests, run } = importOf(array({ id: 'a', n: 1 }, { id: 'b' }, { id: 'a', n: 2 }))

    await run()
    expect(requests.map((rows) => rows.map(({ id }) => id))).toEqual([['a', 'b'], ['a']])
  })

  it('has the later of two rows with one id stored later, whatever is under way at the same time', async () => {
    let isUnderWay = false
    const at = server(async () => {
      expect(isUnderWay).toBe(false)
      isUnderWay = true
      await new Promise((resolve) => setTimeout(resolve, 5))
      isUnderWay = false
    })

    await importOf(array({ id: 'a', n: 1 }, { id: 'a', n: 2 }, { id: 'a', n: 3 }), { at }).run()

    expect(at.stored.get('a')?.n).toBe(3)
  })

  it('sends a few requests at the same time, and no more', async () => {
    let underWay = 0
    let most = 0
    const at = server(async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay--
    })

    const { stored } = await importOf(array(...Array.from({ length: 5000 }, (_, i) => ({ id: `${i}` }))), {
      at,
    }).run()

    expect([stored, most]).toEqual([5000, 4])
  })

  it('sends some at a time', async () => {
    const { requests, run, told } = importOf(
      array(...Array.from({ length: 1200 }, (_, i) => ({ id: `${i}` }))),
    )

    expect((await run()).stored).toBe(1200)
    expect(requests.map(({ length }) => length)).toEqual([500, 500, 200])
    expect(told).toContain(500)
  })

  it('stops where the server cannot go on', async () => {
    const { run } = importOf(array({ id: 'a', n: 503 }))

    await expect(run()).rejects.toThrow('it is 503')
  })

  it('stops when it is cancelled', async () => {
    const abort = new AbortController()
    const { requests, run } = importOf(array({ id: 'a' }), { abort })
    abort.abort()

    await expect(run()).rejects.toThrow()
    expect(requests).toEqual([])
  })

  it('of CSV goes by the names of the columns', async () => {
    const csv =
      'n,ignored,id,text,version,done,next,tags,acl\r\n1,x,a,"tea, green",9,,,,\n2,x,,"\'=1",,,,,\n1,2\nmuch,,,,,,,,\n'
    const { requests, run } = importOf(csv, { format: 'csv' })

    const { stored, problems } = await run()

    expect(stored).toBe(2)
    expect(requests.flat()).toEqual([
      expect.objectContaining({ id: '/db/Todo/a', n: 1, text: 'tea, green' }),
      expect.objectContaining({ id: expect.stringMatching(/^\/db\/Todo\//), n: 2, text: '=1' }),
    ])
    expect(problems.map(({ number, problem }) => `${number} ${problem}`)).toEqual([
      '3 It has 2 values for 9 columns',
      '4 n: much is not a whole number as it is stored; a spreadsheet may have shortened it',
    ])
  })

  it('of CSV replaces no object by less than a whole one', async () => {
    const { requests, run } = importOf('id,text\na,tea\n,milk\n', { format: 'csv' })

    const { problems } = await run()

    expect(requests.flat()).toEqual([expect.objectContaining({ text: 'milk' })])
    expect(problems).toEqual([
      expect.objectContaining({ number: 1, problem: expect.stringMatching(/no column done.*acl/) }),
    ])
  })

  it('of CSV takes no number that a spreadsheet has shortened', async () => {
    const { run } = importOf('n\n1.23457E+12\n0x10\n12\n', { format: 'csv' })

    expect((await run()).problems.map(({ number }) => number)).toEqual([1, 2])
  })

  it('of CSV makes objects of less than all fields where none is replaced', async () => {
    const { requests, run } = importOf('id,text\na,tea\n', { format: 'csv', existing: 'leave' })

    expect(await run()).toMatchObject({ stored: 1 })
    expect(requests.flat()).toEqual([expect.objectContaining({ id: '/db/Todo/a', text: 'tea' })])
  })

  it.each<[string, ImportSettings]>([
    ['text;n\ntea, green;1\n', {}],
    ['text\tn\ntea, green\t1\n', {}],
    ['text;n\r\n"tea, green";1', { delimiter: ';' }],
  ])('of CSV goes by what is between the values of %j', async (csv, settings) => {
    const { requests, run } = importOf(csv, { ...settings, format: 'csv' })

    expect(await run()).toMatchObject({ stored: 1, refused: 0 })
    expect(requests.flat()).toEqual([expect.objectContaining({ text: 'tea, green', n: 1 })])
  })

  it.each<[string, ImportSettings]>([
    ['a;b\n1;2', {}],
    ['id,id\n1,2', {}],
    ['x\n1', {}],
    ['text,n\ntea,1', { delimiter: ';' }],
  ])('refuses a CSV file whose first row is %j', async (csv, settings) => {
    await expect(importOf(csv, { ...settings, format: 'csv' }).run()).rejects.toThrow(/column/)
  })

  it('refuses what is no text', async () => {
    const file = new File([new Uint8Array([0x5b, 0xff, 0xfe])], 'Todo.json')
    await expect(previewOf(file, previewReader(file, 'json'), signal)).rejects.toThrow(/UTF-8/)
  })
})

const previewReader = (file: File, format: Format) =>
  readerOf({ file, format, delimiter: undefined, existing: 'replace' }, 'Todo', FIELDS)

describe('a preview', () => {
  const preview = async (text: string, format: Format) => {
    const file = fileOf(text, format)
    const reader = previewReader(file, format)
    const rows = await previewOf(file, reader, signal)
    return { rows, leftOut: reader.leftOut, delimiter: reader.delimiter }
  }
  const numbers = (rows: readonly ImportRow[]) => rows.map(({ number }) => number)

  it('shows the first rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: `/db/Todo/${i}` }))

    expect(numbers((await preview(array(...rows), 'json')).rows)).toEqual([1, 2, 3, 4, 5])
  })

  it('says what is left out and what is wrong', async () => {
    const { rows, leftOut, delimiter } = await preview('text;colour;createdAt;n\ntea;green;;x', 'csv')

    expect([leftOut, delimiter]).toEqual([['colour'], ';'])
    expect(rows.map(isBad)).toEqual([true])
  })

  it('of an empty file is empty or a mistake', async () => {
    expect((await preview('text\n', 'csv')).rows).toEqual([])
    await expect(preview('', 'json')).rejects.toThrow()
  })
})

describe('an id that is made up', () => {
  const file = new File(['[]'], 'Todo.json', { lastModified: 1 })
  const ids = idsFor('Todo', file)

  it('is the same for the same file and row, and another for any other', () => {
    const others = [
      new File(['[]'], 'Todo2.json', { lastModified: 1 }),
      new File(['[ ]'], 'Todo.json', { lastModified: 1 }),
      new File(['[]'], 'Todo.json', { lastModified: 2 }),
    ].map((other) => idsFor('Todo', other)(1))

    expect(idsFor('Todo', new File(['[]'], 'Todo.json', { lastModified: 1 }))(1)).toBe(ids(1))
    expect(new Set([ids(1), ids(2), ...others]).size).toBe(5)
  })
})

describe('things that are done at once', () => {
  it('begin no more after one has failed, and are over when all are', async () => {
    const atOnce = new AtOnce(2)
    const done: string[] = []
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      done.push('slow')
    }
    await atOnce.begin(slow)
    await atOnce.begin(async () => {
      throw new Error('broken')
    })

    await expect(atOnce.begin(async () => void done.push('never'))).rejects.toThrow('broken')
    await atOnce.settle()

    expect(done).toEqual(['slow'])
  })
})

it.each([
  ['Todo.json', 'json'],
  ['a.b.CSV', 'csv'],
  ['Todo.xlsx', undefined],
])('%s is a file of %s', (name, format) => {
  expect(formatOf(name)).toBe(format)
})
