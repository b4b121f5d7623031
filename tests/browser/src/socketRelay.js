/** Passes WebSockets on to a server, until it is told not to. */
import { connect } from 'node:net'

export class SocketRelay {
  #port
  #open = new Set()
  #accepts = true

  constructor(port) {
    this.#port = port
  }

  /** Takes an upgrade that an HTTP server was asked for. */
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

  /** Cuts all connections, and lets nobody have another. */
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
