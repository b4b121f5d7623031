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

  /** Base URL of the interface, e.g. `http://127.0.0.1:41234/v1`. */
  url

  constructor(process, folder) {
    this.#process = process
    this.#folder = folder
  }

  /** Starts a server and waits until it says that it is ready. */
  static async start() {
    const folder = await mkdtemp(join(tmpdir(), 'orestes-client-'))
    const flags = ['--port', '0', '--data', join(folder, 'data'), '--root-password', ROOT_PASSWORD]
    const child = spawn(LAUNCHER, ['start', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
    const server = new Server(child, folder)
    server.url = `${await server.#readiness()}/v1`
    return server
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

  async stop() {
    this.#process.kill('SIGTERM')
    if (this.#process.exitCode === null) {
      await once(this.#process, 'exit')
    }
    await rm(this.#folder, { recursive: true, force: true })
  }
}
