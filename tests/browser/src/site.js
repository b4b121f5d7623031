/** Pages of an application on an origin of its own, a site other than that of the API. */
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isShort } from './scope.js'

const SDK = new URL('../../../js-sdk/dist/', import.meta.url)
const APP = new URL('../app/', import.meta.url)
const PACKAGES = new URL('../node_modules/', import.meta.url)
const RXJS = new URL('rxjs/bundles/rxjs.umd.min.js', PACKAGES)

/** The reference client for browsers, by version. */
const CLIENTS = {
  '3.1.4': client('baqend-3.1'),
  '3.4.1': client('baqend-3'),
  '4.2.4': client('baqend-4'),
}
const NEWEST = '4.2.4'

function client(alias) {
  return new URL(`${alias}/dist/baqend.es2015.min.js`, PACKAGES)
}

/**
 * Versions of the reference client, each with an application of its own. A short run takes the
 * newest, and the last one with live queries.
 */
export const VERSIONS = isShort() ? ['3.4.1', NEWEST] : Object.keys(CLIENTS)

const TYPES = { '.html': 'text/html', '.css': 'text/css' }

const PAGE = `<!doctype html><meta charset="utf-8"><title>application</title><link rel="icon" href="data:,">`

/** `guard`, `load` and `write`, which tests call. */
const APPLICATION = `${PAGE}<script type="module">
  import { StalenessGuard } from '/sdk/index.js'
  const settings = new URLSearchParams(location.search)
  const api = settings.get('api')
  const nearby = settings.has('nearby')
  window.guard = new StalenessGuard({ url: api + '/bloomfilter', boundSeconds: 60, nearby })
  window.load = async (key) => (await guard.fetch(key, api + key)).json()
  window.write = async (id, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(api + id, { method: 'PUT', headers, body: JSON.stringify(body) })
    guard.wrote(id)
    return answer.status
  }
  window.addEventListener('pageshow', async ({ persisted }) => {
    if (persisted) {
      await fetch('/report', { method: 'POST', body: JSON.stringify(await window.onReturn()) })
    }
  })
  await guard.reload()
  window.ready = true
</script>`

/**
 * The reference client: `load` and `query` objects that it has not loaded yet, so that only the
 * browser's cache can serve them.
 */
const REFERENCE = `${PAGE}<script type="module">
  import { EntityManagerFactory } from '/baqend.js'
  const host = new URLSearchParams(location.search).get('api')
  const factory = new EntityManagerFactory({ host })
  const db = factory.createEntityManager(true)
  await db.ready()
  const plain = (object) => ({ id: object.id, name: object.name })
  window.load = async (id) => {
    db.clear()
    const object = await db.Item.load(id)
    return object && plain(object)
  }
  window.query = async (group) => {
    db.clear()
    return (await db.Item.find().equal('group', group).ascending('name').resultList()).map(plain)
  }
  window.write = async (id, name) => {
    const object = await db.Item.load(id)
    object.name = name
    await object.save()
  }
  window.refresh = () => db.refreshBloomFilter()
  window.me = () => db.User.me && db.User.me.username
  window.register = async (name, password) => (await db.User.register(name, password)).id
  window.login = (name, password) => db.User.login(name, password).then(window.me, (error) => error.status)
  window.logout = () => db.User.logout()
  window.writePrivate = async (name) => {
    const object = new db.Item({ name })
    object.acl.allowReadAccess(db.User.me).allowWriteAccess(db.User.me)
    return (await object.insert()).id
  }
  window.ready = true
</script>`

const PAGES = {
  '/': APPLICATION,
  '/elsewhere': PAGE,
  '/reference': REFERENCE,
}

export class Site {
  #server
  #reports = new EventEmitter()
  #shown = new Map()

  static async start() {
    const site = new Site()
    site.#server = createServer((request, response) => site.#answer(request, response))
    await once(site.#server.listen(0, '127.0.0.1'), 'listening')
    return site
  }

  get base() {
    return `http://localhost:${this.#server.address().port}`
  }

  /** Serves this document from now on. Returns its address. */
  show(pathname, html) {
    this.#shown.set(pathname, html)
    return this.base + pathname
  }

  /** Address of the application of `app` with this version of the client. */
  app(version) {
    return `${this.base}/app/${version}/`
  }

  /**
   * Resolves with the value of `onReturn` when the page is restored from the back/forward cache.
   */
  async nextReport() {
    const [body] = await once(this.#reports, 'report', { signal: AbortSignal.timeout(40_000) })
    return body
  }

  async #answer(request, response) {
    if (request.method === 'POST') {
      this.#reports.emit('report', await json(request))
      response.end()
    } else {
      await answer(request, response, this.#shown)
    }
  }

  async close() {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

async function answer({ url }, response, shown) {
  const { pathname } = new URL(url, 'http://localhost')
  const html = shown.get(pathname) ?? PAGES[pathname]
  if (html !== undefined) {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)
  } else {
    const path = fileURLToPath(file(pathname))
    const type = TYPES[extname(path)] ?? 'text/javascript'
    response.writeHead(200, { 'Content-Type': type }).end(await readFile(path))
  }
}

function file(pathname) {
  const [, version, name] = /^\/app\/([^/]+)\/(.*)/.exec(pathname) ?? []
  if (version) {
    return { 'baqend.js': CLIENTS[version], 'rxjs.js': RXJS }[name] ?? new URL(name || 'index.html', APP)
  }
  return pathname === '/baqend.js' ? CLIENTS[NEWEST] : new URL(pathname.replace('/sdk/', ''), SDK)
}
