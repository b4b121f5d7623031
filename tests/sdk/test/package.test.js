import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '../src/servers.js'

const TSC = fileURLToPath(new URL('../../../js-sdk/node_modules/typescript/bin/tsc', import.meta.url))

const APP = `
import { connect, type Stored } from '@orestes/sdk'
import { cachingFetch } from '@orestes/sdk/cache'
import type { Schema, Todo } from './db.js'

const db = await connect<Schema>(process.argv[2]!, { fetch: cachingFetch() })
const todo: Stored<Todo> = await db.bucket('Todo').insert({ text: 'installed', priority: 1 })
const { data } = await db.bucket('Todo').find({ priority: 1 }).list()
console.log(data.length, data[0]?.text, todo.version)
db.close()
`

const MISTAKE = `
import { connect } from '@orestes/sdk'
import type { Schema } from './db.js'
await (await connect<Schema>('')).bucket('Todo').insert({ text: 1 })
`

describe('the package of a server, in an empty folder', () => {
  let server
  let folder

  /** Runs a program there, without a registry. */
  async function run(program, ...parameters) {
    const offline = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
    const { stdout } = await promisify(execFile)(program, parameters, {
      cwd: folder,
      env: { ...process.env, ...offline, npm_config_cache: join(folder, '.npm') },
      timeout: 60_000,
    })
    return stdout
  }

  const compile = (file) => run('node', TSC, '--strict', '--module', 'nodenext', '--target', 'es2022', file)

  before(async () => {
    server = await startServer()
    folder = await mkdtemp(join(tmpdir(), 'orestes-package-'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const tarball = new URL('/sdk/orestes-sdk.tgz', server.url).href
    await run('npm', 'install', '--no-audit', '--no-fund', tarball)
    await run('npx', 'orestes', 'types', server.url, 'db.d.ts')
  })

  after(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is all that is installed', async () => {
    const installed = await readdir(join(folder, 'node_modules'))
    const sdk = join(folder, 'node_modules', '@orestes', 'sdk')

    assert.deepEqual(
      installed.filter((name) => !name.startsWith('.')),
      ['@orestes'],
    )
    assert.deepEqual((await readdir(sdk)).sort(), ['LICENSE', 'README.md', 'bin', 'dist', 'package.json'])
    assert.ok(!(await readdir(join(sdk, 'dist'))).includes('web'))
  })

  it('prints the types of the server by its command', async () => {
    const printed = await run('npx', 'orestes', 'types', server.url)

    assert.match(printed, /export interface Todo \{/)
    assert.equal(printed, await readFile(join(folder, 'db.d.ts'), 'utf8'))
  })

  it('types a program, which runs', async () => {
    await writeFile(join(folder, 'node.d.ts'), 'declare const process: { argv: string[] }')
    await writeFile(join(folder, 'app.ts'), `/// <reference path="node.d.ts" />\n${APP}`)

    await compile('app.ts')
    const said = await run('node', 'app.js', server.url)

    assert.equal(said, '1 installed 1\n')
  })

  it('finds a mistake', async () => {
    await writeFile(join(folder, 'mistake.ts'), MISTAKE)

    await assert.rejects(compile('mistake.ts'), { stdout: /mistake\.ts.*not assignable/ })
  })
})
