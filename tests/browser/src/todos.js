/** Accesses the class `Todo` of the dashboard's tests from outside the dashboard. */
import assert from 'node:assert/strict'

export class Todos {
  /** @param root headers of requests as root */
  constructor(server, root) {
    this.server = server
    this.root = root
  }

  /** Resets the class to three objects. */
  async reset() {
    await this.server.call('DELETE', '/db/Todo', undefined, this.root)
    await this.write('a', { text: 'milk', done: false, priority: 3 })
    await this.write('b', { text: 'tea', done: true, priority: 1, next: '/db/Todo/a' })
    await this.write('c', { text: 'bread', done: false, priority: 2 })
  }

  async write(key, fields) {
    const id = `/db/Todo/${key}`
    const { status } = await this.server.call('PUT', id, { id, ...fields }, this.root)
    assert.ok(status < 300, `${status}`)
  }

  async stored(key) {
    const { body } = await this.server.call('GET', `/db/Todo/${key}`, undefined, this.root)
    return body
  }

  async remove(key) {
    await this.server.call('DELETE', `/db/Todo/${key}`, undefined, this.root)
  }

  async count() {
    return (await this.server.call('GET', '/db/Todo/count?q=%7B%7D', undefined, this.root)).body.count
  }
}
