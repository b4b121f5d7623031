/** A genuine mongod, a replica set of one member, which does not permit ending sessions. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { command } from './mongoCommand.js'
import { freePort } from './ports.js'
import { dataFolder } from './server.js'

const START_MILLIS = 60_000

export class Mongod {
  #child
  #exit
  #data

  /** Resolves when the set is initiated. */
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
      '--replSet',
      'rs0',
      '--setParameter',
      'enableTestCommands=1',
    ]
    const program = process.env.ORESTES_TEST_MONGOD
    mongod.#child = spawn(program, [...place, '--wiredTigerCacheSizeGB', '0.25'], { stdio: 'ignore' })
    mongod.#exit = once(mongod.#child, 'exit')
    await listening(port)
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
    await command(port, { replSetInitiate: { _id: 'rs0', members } })
    await command(port, {
      configureFailPoint: 'failCommand',
      mode: 'alwaysOn',
      data: { failCommands: ['killSessions'], errorCode: 13 },
    })
    return mongod
  }

  /** Stops answering, without ending the process, until it is continued. */
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
