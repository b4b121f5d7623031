import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import builtIn from '../../schema/classes.json' with { type: 'json' }
import { readTypes } from '../src/types.ts'
import { typesOf } from '../src/typesOf.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const classOf = (name, types, more = {}) => ({
  class: `/db/${name}`,
  ...more,
  fields: Object.fromEntries(
    Object.entries(types).map(([field, type]) => [field, { name: field, type: `/db/${type}`, flags: [] }]),
  ),
})

const CLASSES = [
  ...builtIn,
  classOf('Address', { city: 'String', place: 'GeoPoint' }, { embedded: true }),
  classOf('Person', { name: 'String', address: 'Address', homes: 'collection.List[/db/Address]' }),
  classOf('Author', { books: 'collection.Set[/db/shop.Book]' }, { superClass: '/db/Person' }),
  classOf('shop.Book', {
    author: 'Author',
    pages: 'Integer',
    sold: 'collection.Map[/db/String,/db/collection.List[/db/Double]]',
    'odd name': 'Boolean',
  }),
  classOf('Schema', { delete: 'JsonObject', list: 'JsonArray', gone: 'Nobody' }),
  classOf('shop_Book', { due: 'DateTime' }),
]
CLASSES.find((each) => each.class === '/db/Person').fields.name.flags = ['NOTNULL']

/** Returns the type errors of a program that uses the written types. */
function mistakesOf(program) {
  const files = new Map([
    [`${ROOT}test/db.d.ts`, typesOf(CLASSES)],
    [`${ROOT}test/app.ts`, program],
  ])
  const options = {
    ...ts.parseJsonConfigFileContent(
      ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile).config,
      ts.sys,
      ROOT,
    ).options,
    noUnusedLocals: false,
    skipLibCheck: false,
    paths: { '@orestes/sdk': [`${ROOT}src/index.ts`] },
  }
  const host = ts.createCompilerHost(options)
  const [read, exists] = [host.getSourceFile.bind(host), host.fileExists.bind(host)]
  host.getSourceFile = (name, version) =>
    files.has(name) ? ts.createSourceFile(name, files.get(name), version) : read(name, version)
  host.fileExists = (name) => files.has(name) || exists(name)
  const compiled = ts.createProgram([...files.keys()], options, host)
  return [...files.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(compiled, compiled.getSourceFile(file))
      .map(
        ({ start, messageText }) =>
          `${files.get(file).slice(0, start).split('\n').length}: ${ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0]}`,
      ),
  )
}

const PREAMBLE = `
import type { Client, Ref, Stored } from '@orestes/sdk'
import type { Author, Person, Schema } from './db.js'
declare const db: Client<Schema>
`

describe('types that are written', () => {
  it('type buckets, references, embedded objects, collections and inheritance', { timeout: 60_000 }, () => {
    const mistakes = mistakesOf(`${PREAMBLE}
      const { data: book } = await db.bucket('shop.Book').load('a')
      const author: Ref<Author> | null = book.author
      const pages: number | null = book.pages
      const odd: boolean | null = book['odd name']
      const sold: number[] | undefined = book.sold?.['Hamburg']
      const { data: person } = await db.load<Author>(author!)
      const city: string | null | undefined = person.address?.city
      const latitude: number | undefined = person.homes?.[0]?.place?.latitude
      const name: string = person.name
      const books: Ref<object>[] | null = person.books
      await db.bucket('shop.Book').update('a', (change) => change.inc('pages').set('author', author))
      await db.bucket('Author').find({ name: 'Ann' }).ascending('name').list()
      const own: unknown = (await db.bucket('Schema').load('a')).data.delete
      db.users.me?.username.length
    `)

    expect(mistakes).toEqual([])
  })

  it.each([
    ['a field that is not there', `(await db.bucket('Person').load('a')).data.age`, /age/],
    [
      'a field that may be unset',
      `const n: number = (await db.bucket('shop.Book').load('a')).data.pages`,
      /null/,
    ],
    ['a value of another type', `await db.bucket('Person').insert({ name: 1 })`, /number/],
    [
      'counting what is no number',
      `await db.bucket('Person').update('a', (change) => change.inc('name'))`,
      /name/,
    ],
    [
      'an embedded class as a bucket',
      `const b: { data: { city: string } } = await db.bucket('Address').load('a')`,
      /./,
    ],
  ])('refuse %s', { timeout: 60_000 }, (_, statement, expected) => {
    const mistakes = mistakesOf(PREAMBLE + statement)

    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toMatch(expected)
  })
})

describe('orestes types', () => {
  let server
  let folder
  let url
  const asked = []
  const run = (...parameters) =>
    promisify(execFile)('node', [`${ROOT}bin/orestes.js`, ...parameters], {
      env: { ORESTES_TOKEN: 'secret', PATH: process.env.PATH },
      timeout: 50_000,
    })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'types'))
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
      const isKnown = request.url === '/v1/schema'
      response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'application/json' })
      response.end(
        JSON.stringify(isKnown ? CLASSES : { reason: 'Object Not Found', message: 'nothing here' }),
      )
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${server.address().port}`
    await promisify(execFile)('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: ROOT, timeout: 100_000 })
  }, 120_000)

  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true })
  })

  it('writes the types to the standard output or a file', { timeout: 60_000 }, async () => {
    const { stdout } = await run('types', url)
    await run('types', `${url}/v1/`, join(folder, 'db.d.ts'))

    expect(stdout).toBe(typesOf(CLASSES))
    expect(await readFile(join(folder, 'db.d.ts'), 'utf8')).toBe(stdout)
    expect(asked).toEqual(['GET /v1/schema BAT secret', 'GET /v1/schema BAT secret'])
  })

  it('says why it could not, and leaves the file alone', { timeout: 60_000 }, async () => {
    const file = join(folder, 'kept.d.ts')
    await writeFile(file, 'kept')

    await expect(run('types', `${url}/elsewhere`, file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing here'),
    })
    await expect(run('types', 'http://127.0.0.1:1', file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did not answer'),
    })
    for (const wrong of [[], ['types'], [url], ['types', '-x'], ['types', url, file, 'more']]) {
      await expect(run(...wrong)).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('usage'),
      })
    }
    expect((await run('types', '--help')).stdout).toContain('usage')
    expect(await readFile(file, 'utf8')).toBe('kept')
  })

  it('takes no other answer for a schema', async () => {
    const fetch = async () => new Response('{}')
    await expect(readTypes(url, { fetch })).rejects.toMatchObject({ code: 'PROTOCOL' })
  })
})
