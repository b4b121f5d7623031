/** A genuine mongod that is no replica set. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.js'
import { dataFolder } from './server.js'

const START_MILLIS = 60_000

export class Mongod {
  #child
  #exit
  #data

  /** Resolves when it takes connections. */
  static async start() {
    const mongod = new Mongod()
    const port = await freePort()
    mongod.#data = await dataFolder()
    mongod.address = `mongodb://127.0.0.1:${port}/test`
    const place = [
      '--dbpath',
      mongod.#data.path,
      '--port',
      String(port),
      '--bind_ip',
      '127.0.0.1',
      '--nounixsocket',
    ]
    const program = process.env.ORESTES_TEST_MONGOD
    mongod.#child = spawn(program, [...place, '--wiredTigerCacheSizeGB', '0.25'], { stdio: 'ignore' })
    mongod.#exit = once(mongod.#child, 'exit')
    await listening(port)
    return mongod
  }

  /** Stops answering without ending, until it is told to go on. */
  stand() {
    this.#child.kill('SIGSTOP')
  }

  goOn() {
    this.#child.kill('SIGCONT')
  }

  async stop() {
    this.#child.kill('SIGKILL')
    await this.#exit
    await this.#data.remove()
  }
}

async function listening(port) {
  const end = Date.now() + START_MILLIS
  while (Date.now() < end) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) {
      return
    }
    await sleep(50)
  }
  throw new Error('mongod does not listen')
}
