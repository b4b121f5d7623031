/** Starts and stops the product as a process, with its command and SIGTERM. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../../orestes', import.meta.url))
const READY = /^ready on (http:\/\/[^/\s]+)/
const SETUP = /^set the root password at (\S+)/

/** A fresh folder for a server's data, removed by its undo. */
export async function dataFolder() {
  const path = await mkdtemp(join(tmpdir(), 'orestes-browser-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A running server; `base` is its address without a path, `setupLink` what it printed for a first password. */
export class Server {
  #child
  #exit
  setupLink

  /** Resolves when the server has reported that it is ready. */
  static async start(data, { port = 0, flags = ['--demo'] } = {}) {
    const server = new Server()
    const settings = ['start', '--port', String(port), '--data', data, ...flags]
    server.#child = spawn(LAUNCHER, settings, { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
    server.#exit = once(server.#child, 'exit')
    server.base = await server.#untilReady()
    return server
  }

  async #untilReady() {
    for await (const line of createInterface({ input: this.#child.stdout })) {
      this.setupLink ??= SETUP.exec(line)?.[1]
      const ready = READY.exec(line)
      if (ready) {
        this.#child.stdout.resume()
        return ready[1]
      }
    }
    throw new Error(`The server ended before it was ready, with ${await this.#exit}`)
  }

  get port() {
    return Number(new URL(this.base).port)
  }

  /** Ends the server by SIGTERM; it has to exit with code 0. */
  async stop() {
    this.#child.kill('SIGTERM')
    assert.deepEqual(await this.#exit, [0, null], 'exit code and signal')
  }

  /** Applies the schema files in this folder, as root. */
  async applySchema(folder, password) {
    const settings = ['schema', 'apply', folder, '--url', `${this.base}/v1`]
    const env = { ...environment(), ORESTES_ROOT_PASSWORD: password }
    const child = spawn(LAUNCHER, settings, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    assert.deepEqual(await once(child, 'exit'), [0, null], 'exit code and signal')
  }

  /** Calls the API; the body is JSON. */
  async call(method, path, body, headers = {}) {
    const response = await fetch(`${this.base}/v1${path}`, {
      method,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}

/** Removes settings of the person who runs the tests from the server's environment. */
function environment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORESTES_')))
}
