import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { blocks } from '../src/markdown.js'
import { cleanEnvironment, hasProgram, programOf, runProgram, startsServer } from '../src/page.js'
import { documents, pathOf, textOf } from '../src/repository.js'

const README = 'README.md'

/** Returns the command of README that starts a server. */
function startCommand() {
  const block = blocks(textOf(README), 'sh').find(startsServer)
  assert.ok(block, 'README starts a server')
  return block.text
}

/** Starts a server by README's command on a free port, and returns its address. */
async function start(folder) {
  const env = { ...cleanEnvironment(), ORESTES_PORT: '0', ORESTES_DATA: join(folder, 'data') }
  const server = spawn('bash', ['-c', `exec ${startCommand().trim()}`], {
    cwd: pathOf('.'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const ready = /^ready on http:\/\/([^/\s]+)/.exec(line)
    if (ready) {
      server.stdout.resume()
      return { server, address: ready[1] }
    }
  }
  throw new Error('the server ended before it was ready')
}

async function stop(server) {
  server.kill()
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}

/** The documents whose commands need only a server: README, and pages of the guide. */
const runnable = documents().filter(
  (file) => (file === README || file.startsWith('docs/guide/')) && hasProgram(textOf(file)),
)

/** Pages whose commands need more than a server. */
const OTHERS = ['dashboard', 'mongodb', 'security', 'several-servers', 'varnish-and-cdn']

test('pages_ofTheGuide_haveCommandsThatRun', () => {
  const pages = documents().filter((file) => file.startsWith('docs/guide/'))
  const others = OTHERS.map((name) => `docs/guide/${name}.md`)

  assert.deepEqual([README, ...pages.filter((page) => !others.includes(page))].sort(), [...runnable].sort())
})

describe('commands', { concurrency: 2 }, () => {
  for (const file of runnable) {
    test(`${file}_commands_runAsPrinted`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'orestes-docs-'))
      let server
      try {
        const started = await start(folder)
        server = started.server
        await runProgram(programOf(textOf(file), started.address), folder)
      } finally {
        if (server) await stop(server)
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
})
