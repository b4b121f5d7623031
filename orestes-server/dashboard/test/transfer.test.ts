import { ServerError } from '@orestes/sdk'
import { describe, expect, it } from 'vitest'
import type { ClassInfo } from '../src/server/schema'
import { csvLine, CsvReader, guarded, unguarded } from '../src/transfer/csv'
import { exportClass, type Format } from '../src/transfer/exporting'
import { cellsOf, exportedFields, importedFields, jsonOf } from '../src/transfer/fields'
import { formatOf, Import, previewOf, readerOf } from '../src/transfer/importing'
import { membersOf, Splitter } from '../src/transfer/jsonText'
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
      const reader = new CsvReader()
      const read = pieces.flatMap((piece) => reader.push(piece))
      expect([...read, ...reader.end()]).toEqual(rows)
    }
  })

  it.each(['a\nb', 'a\r\nb\r\n', 'a\rb', 'a\n\n\nb'])('has rows whatever ends the lines: %j', (lines) => {
    const reader = new CsvReader()
    expect([...reader.push(lines), ...reader.end()]).toEqual([['a'], ['b']])
  })

  it.each(['"a', '"a"b', 'a"b"'])('does not have %s', (wrong) => {
    expect(() => {
      const reader = new CsvReader()
      reader.push(wrong)
      reader.end()
    }).toThrow()
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

/** A server that refuses objects whose `n` is 13, whole requests with one whose `n` is 400, and breaks at 503. */
function server() {
  const requests: SentRow[][] = []
  const request = async (_path: string, options: { readonly body?: unknown } = {}) => {
    const rows = JSON.parse(String(options.body)) as SentRow[]
    for (const status of [400, 503]) {
      if (rows.some(({ n }) => n === status)) throw new ServerError(status, 'Bad Request', `it is ${status}`)
    }
    requests.push(rows)
    return rows.filter(({ n }) => n === 13).map(({ id }) => ({ id, error: 'unlucky' }))
  }
  return { requests, client: { request } }
}

function importOf(text: string, format: Format = 'json', abort = new AbortController()) {
  const { requests, client } = server()
  const told: number[] = []
  const run = () =>
    new Import({
      client,
      bucket: 'Todo',
      file: new Blob([text]),
      reader: readerOf(format, 'Todo', FIELDS),
      signal: abort.signal,
      tell: ({ stored }) => told.push(stored),
    }).run()
  return { requests, run, told }
}

const array = (...rows: object[]) => JSON.stringify(rows)

describe('an import', () => {
  it('sends objects as they are, and names those that have no id', async () => {
    const { requests, run } = importOf('[{"id":"/db/Todo/a","n":1},{"id":null,"n":2},{}]')

    expect(await run()).toMatchObject({ stored: 3, refused: 0 })
    const [first, ...named] = requests.flat()
    expect(first).toEqual({ id: '/db/Todo/a', n: 1 })
    named.forEach(({ id }) => expect(id).toMatch(/^\/db\/Todo\/[0-9a-f]{32}$/))
    expect(new Set(named.map(({ id }) => id)).size).toBe(2)
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
    const { requests, run } = importOf(array({ id: 'a' }), 'json', abort)
    abort.abort()

    await expect(run()).rejects.toThrow()
    expect(requests).toEqual([])
  })

  it('of CSV goes by the names of the columns', async () => {
    const csv =
      'n,ignored,id,text,version,done,next,tags,acl\r\n1,x,a,"tea, green",9,,,,\n2,x,,"\'=1",,,,,\n1,2\nmuch,,,,,,,,\n'
    const { requests, run } = importOf(csv, 'csv')

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
    const { requests, run } = importOf('id,text\na,tea\n,milk\n', 'csv')

    const { problems } = await run()

    expect(requests.flat()).toEqual([expect.objectContaining({ text: 'milk' })])
    expect(problems).toEqual([
      expect.objectContaining({ number: 1, problem: expect.stringMatching(/no column done.*acl/) }),
    ])
  })

  it('of CSV takes no number that a spreadsheet has shortened', async () => {
    const { run } = importOf('n\n1.23457E+12\n0x10\n12\n', 'csv')

    expect((await run()).problems.map(({ number }) => number)).toEqual([1, 2])
  })

  it.each(['a;b\n1;2', 'id,id\n1,2', 'x\n1'])('refuses a CSV file whose first row is %j', async (csv) => {
    await expect(importOf(csv, 'csv').run()).rejects.toThrow(/column/)
  })

  it('refuses what is no text', async () => {
    const file = new Blob([new Uint8Array([0x5b, 0xff, 0xfe])])
    await expect(previewOf(file, readerOf('json', 'Todo', FIELDS), signal)).rejects.toThrow(/UTF-8/)
  })
})

describe('a preview', () => {
  const preview = async (text: string, format: Format) => {
    const reader = readerOf(format, 'Todo', FIELDS)
    const rows = await previewOf(new Blob([text]), reader, signal)
    return { rows, leftOut: reader.leftOut }
  }
  const numbers = (rows: readonly ImportRow[]) => rows.map(({ number }) => number)

  it('shows the first rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: `/db/Todo/${i}` }))

    expect(numbers((await preview(array(...rows), 'json')).rows)).toEqual([1, 2, 3, 4, 5])
  })

  it('says what is left out and what is wrong', async () => {
    const { rows, leftOut } = await preview('text,colour,createdAt,n\ntea,green,,x', 'csv')

    expect(leftOut).toEqual(['colour'])
    expect(rows.map(isBad)).toEqual([true])
  })

  it('of an empty file is empty or a mistake', async () => {
    expect((await preview('text\n', 'csv')).rows).toEqual([])
    await expect(preview('', 'json')).rejects.toThrow()
  })
})

it.each([
  ['Todo.json', 'json'],
  ['a.b.CSV', 'csv'],
  ['Todo.xlsx', undefined],
])('%s is a file of %s', (name, format) => {
  expect(formatOf(name)).toBe(format)
})
