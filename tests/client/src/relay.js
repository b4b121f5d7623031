import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Passes connections on to a server until they are cut, as a network that fails. */
export class Relay {
  #sockets = new Set()
  #server

  /** In front of the server with this base URL. */
  static async to(url) {
    const relay = new Relay()
    const port = Number(new URL(url).port)
    relay.#server = createServer((socket) => relay.#join(socket, connect(port, '127.0.0.1')))
    await once(relay.#server.listen(0, '127.0.0.1'), 'listening')
    return relay
  }

  /** Base URL of the server behind it. */
  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/v1`
  }

  #join(one, other) {
    this.#pipe(one, other)
    this.#pipe(other, one)
  }

  #pipe(from, to) {
    this.#sockets.add(from)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    from.pipe(to)
  }

  /** Ends all connections; new ones are passed on. */
  cut() {
    this.#sockets.forEach((socket) => socket.destroy())
  }

  close() {
    this.cut()
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
