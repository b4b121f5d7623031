import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../../orestes', import.meta.url))

/** Password of the user root on every server of these tests. */
export const ROOT_PASSWORD = 'correct horse'

/** A server process of its own, on a free port and with a fresh data folder. */
export class Server {
  #process
  #folder
  #flags

  /** Base URL of the interface, e.g. `http://127.0.0.1:41234/v1`. */
  url

  constructor(folder, flags) {
    this.#folder = folder
    this.#flags = flags
  }

  /** Starts a server, with these further flags, and waits until it reports that it is ready. */
  static async start(...flags) {
    const server = new Server(await mkdtemp(join(tmpdir(), 'orestes-client-')), flags)
    await server.#spawn('0')
    return server
  }

  /** Ends the server, by SIGKILL for a crash, and starts it again with the same port and data. */
  async restart(signal = 'SIGTERM') {
    await this.#end(signal)
    await this.#spawn(new URL(this.url).port)
  }

  async #spawn(port) {
    const flags = ['--port', port, '--data', join(this.#folder, 'data'), '--root-password', ROOT_PASSWORD]
    this.#process = spawn(LAUNCHER, ['start', ...flags, ...this.#flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.url = `${await this.#readiness()}/v1`
  }

  async #readiness() {
    for await (const line of createInterface({ input: this.#process.stdout })) {
      const base = /^ready on (http:\/\/[^/\s]+)/.exec(line)
      if (base) {
        this.#process.stdout.resume()
        return base[1]
      }
    }
    throw new Error('the server ended before it was ready')
  }

  /** Sends a request the client would not send; the path starts after the base URL. */
  fetch(path, init) {
    return fetch(this.url + path, init)
  }

  async #end(signal = 'SIGTERM') {
    this.#process.kill(signal)
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      await once(this.#process, 'exit')
    }
  }

  async stop() {
    await this.#end()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
