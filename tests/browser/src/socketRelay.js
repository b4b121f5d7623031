/** Forwards WebSockets to a server until `refuse` is called. */
import { connect } from 'node:net'

export class SocketRelay {
  #port
  #open = new Set()
  #accepts = true

  constructor(port) {
    this.#port = port
  }

  /** Relays an upgrade request that an HTTP server received. */
  join({ method, url, rawHeaders }, socket, head) {
    if (!this.#accepts) {
      socket.destroy()
      return
    }
    const onward = connect(this.#port, '127.0.0.1')
    onward.write(`${method} ${url} HTTP/1.1\r\n${lines(rawHeaders)}\r\n`)
    onward.write(head)
    this.#pipe(socket, onward)
    this.#pipe(onward, socket)
  }

  #pipe(from, to) {
    this.#open.add(from)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#open.delete(from)
      to.destroy()
    })
    from.pipe(to)
  }

  /** Closes all connections and refuses new ones. */
  refuse() {
    this.#accepts = false
    this.#open.forEach((socket) => socket.destroy())
  }

  accept() {
    this.#accepts = true
  }
}

function lines(rawHeaders) {
  return rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
}
