import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST = 10_000
const END = 32_000

/**
 * A port of the loopback that nobody uses, for a process that has to be told its own or comes back to it. It is none of those
 * that the kernel gives to connections, of which other tests open thousands at a time.
 */
export async function freePort() {
  let port = random()
  while (await isTaken(port)) port = random()
  return port
}

const random = () => FIRST + Math.floor(Math.random() * (END - FIRST))

async function isTaken(port) {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return true
  }
  server.close()
  await once(server, 'close')
  return false
}
