/** Forwards requests to a server and lists them, to show what uses the network. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { SocketRelay } from './socketRelay.js'

const BASE = '/v1'

export class CountingProxy {
  #server
  #port
  #seen = []

  /** Relay of WebSockets, which are not counted. */
  sockets

  /** Starts a proxy of the server at `base`. */
  static async start(base) {
    const proxy = new CountingProxy()
    proxy.#port = Number(new URL(base).port)
    proxy.sockets = new SocketRelay(proxy.#port)
    proxy.#server = createServer((incoming, outgoing) => proxy.#pass(incoming, outgoing))
    proxy.#server.on('upgrade', (...handshake) => proxy.sockets.join(...handshake))
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  /** Base address of the API behind the proxy. */
  get api() {
    return `http://127.0.0.1:${this.#server.address().port}${BASE}`
  }

  /**
  Returns the requests since the last call, sorted, such as `GET /db/Todo/a 304`, with preflights.
  */
  take() {
    return this.#seen.splice(0).sort()
  }

  #pass(incoming, outgoing) {
    const { method, url, headers } = incoming
    const { host, ...rest } = headers
    const onward = request({
      host: '127.0.0.1',
      port: this.#port,
      method,
      path: url,
      headers: { ...rest, host },
    })
    onward.on('response', (answer) => {
      this.#seen.push(`${method} ${url.replace(BASE, '')} ${answer.statusCode}`)
      outgoing.writeHead(answer.statusCode, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }

  async close() {
    this.sockets.refuse()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
