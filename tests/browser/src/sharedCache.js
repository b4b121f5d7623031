/** A fake shared cache in front of a server: confirms purges, unless it is disconnected. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from './ports.js'

const END = '\r\n\r\n'

export class SharedCache {
  #server = createServer((socket) => this.#join(socket))
  #sockets = new Set()
  #port = 0
  #counts

  static async start() {
    const cache = new SharedCache()
    cache.#port = await freePort()
    await cache.comeBack()
    return cache
  }

  /** Host and port, as the server's configuration names it. */
  get name() {
    return `127.0.0.1:${this.#port}`
  }

  /** Flags of a server that purges this cache. */
  get flags() {
    return ['--caching.purge.targets', `http://${this.name}`, '--caching.purge.secret', 'only-for-tests']
  }

  /** Closes its connections and accepts no more. */
  async leave() {
    const closed = once(this.#server.close(), 'close')
    this.#sockets.forEach((socket) => socket.destroy())
    await closed
  }

  async comeBack() {
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening')
  }

  /** Reports these counts from now on; nothing before. */
  tell(counts) {
    this.#counts = counts
  }

  #answer(request) {
    if (request.startsWith('PURGE ')) return `HTTP/1.1 204 Purged${END}`
    return this.#counts === undefined
      ? `HTTP/1.1 404 Not Found\r\nContent-Length: 0${END}`
      : `HTTP/1.1 200 Told\r\nContent-Length: 0\r\nOrestes-Counts: ${this.#counts}${END}`
  }

  #join(socket) {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let text = ''
    socket.on('data', (bytes) => {
      const requests = (text + bytes).split(END)
      text = requests.pop()
      requests.forEach((request) => socket.write(this.#answer(request)))
    })
  }
}
