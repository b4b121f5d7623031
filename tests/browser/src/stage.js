import assert from 'node:assert/strict'
import { launch } from './browser.js'
import { CountingProxy } from './countingProxy.js'
import { Server, dataFolder } from './server.js'
import { Site } from './site.js'

const PASSWORD = 'correct horse battery'

const FIELDS = {
  name: { name: 'name', type: '/db/String' },
  group: { name: 'group', type: '/db/Integer' },
}

/**
Test bed of caching: a server, a proxy that counts requests, a site of another origin, and a
browser.
*/
export class Stage {
  #asRoot

  /** Starts all parts; the server has classes of these names whose objects have a name and a group. */
  static async set(...classes) {
    const stage = new Stage()
    try {
      await stage.#start(classes)
    } catch (failure) {
      await stage.clear()
      throw failure
    }
    return stage
  }

  async #start(classes) {
    this.data = await dataFolder()
    this.server = await Server.start(this.data.path, { flags: ['--root-password', PASSWORD] })
    this.api = await CountingProxy.start(this.server.base)
    this.site = await Site.start()
    this.browser = await launch()
    this.#asRoot = await this.#logIn()
    await this.#create(classes)
  }

  async #logIn() {
    const { headers } = await this.server.call('POST', '/db/User/login', {
      username: 'root',
      password: PASSWORD,
    })
    return { Authorization: `BAT ${headers.get('baqend-authorization-token')}` }
  }

  async #create(classes) {
    for (const name of classes) {
      const schema = { class: `/db/${name}`, fields: FIELDS }
      const made = await this.server.call('POST', `/schema/${name}`, schema, this.#asRoot)
      assert.equal(made.status, 200)
    }
  }

  /** Gives the server the classes in this folder. */
  applySchema(folder) {
    return this.server.applySchema(folder, PASSWORD)
  }

  /** Writes as root, past the browser and past the count. */
  async write(id, body) {
    const { status } = await this.server.call('PUT', id, body, this.#asRoot)
    assert.equal(status, 200)
  }

  /** Stops all parts in reverse order of their start. */
  async clear() {
    await this.browser?.close()
    await this.site?.close()
    await this.api?.close()
    await this.server?.stop()
    await this.data?.remove()
  }
}
