import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST = 10_000
const END = 32_000

/**
 * Returns a free port of the loopback, for a process that needs a given port or reuses it. It is
 * outside the range that the kernel assigns to connections, of which other tests open thousands at
 * a time.
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
