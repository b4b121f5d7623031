import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Forwards connections to a server until they are cut, to simulate a failing network. */
export class Relay {
  #sockets = new Set()
  #server

  /** Starts a relay in front of the server with this base URL. */
  static async to(url) {
    const relay = new Relay()
    const port = Number(new URL(url).port)
    relay.#server = createServer((socket) => relay.#join(socket, connect(port, '127.0.0.1')))
    await once(relay.#server.listen(0, '127.0.0.1'), 'listening')
    return relay
  }

  /** Base URL by which clients reach the server. */
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

  /** Ends all connections; new ones are forwarded. */
  cut() {
    this.#sockets.forEach((socket) => socket.destroy())
  }

  close() {
    this.cut()
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
