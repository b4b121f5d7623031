/**
 * The to-dos as the page shows them: what the server said last, under changes of this page on their way there. A change
 * stays until the server's list shows its outcome, so nothing flickers back in between.
 */
export class TodoList {
  #confirmed = []
  #changes = new Map()

  /** Takes the server's list. Returns the ids that somebody else added or changed, and their to-dos that are gone. */
  confirm(list) {
    const known = new Map(this.#confirmed.map((todo) => [todo.id, todo]))
    const now = new Map(list.map((todo) => [todo.id, todo]))
    const foreign = (todo) => !this.#changes.has(todo.id)
    const changed = list.filter((todo) => known.get(todo.id)?.version !== todo.version).filter(foreign)
    const gone = this.#confirmed.filter((todo) => !now.has(todo.id)).filter(foreign)
    this.#confirmed = list
    this.#forgetReflected()
    return { added: changed.filter((todo) => !known.has(todo.id)), changed, gone }
  }

  /** A change begins: the object as it will be, or undefined if it is to go. */
  begin(id, object) {
    this.#changes.set(id, { object, state: 'sending' })
  }

  /** The server made the change; saved is the object it became. */
  succeed(id, saved) {
    this.#changes.set(id, { object: saved, state: 'sent' })
    this.#forgetReflected()
  }

  /** The server did not make the change. */
  drop(id) {
    this.#changes.delete(id)
  }

  /** A new object that may not have arrived stays visible until it shows up, is sent again or dropped. */
  fail(id) {
    this.#changes.get(id).state = 'failed'
    this.#forgetReflected()
  }

  /** The connection was lost: what changed meanwhile will not be told one by one, so the next list is all that counts. */
  forgetSent() {
    for (const [id, { state }] of this.#changes) {
      if (state === 'sent') this.#changes.delete(id)
    }
  }

  #forgetReflected() {
    const confirmed = new Map(this.#confirmed.map((todo) => [todo.id, todo]))
    for (const [id, change] of this.#changes) {
      if (isReflected(change, confirmed.get(id))) this.#changes.delete(id)
    }
  }

  /** What to show, oldest first: pairs of a to-do and its state, which is 'sending', 'failed' or 'sent'. */
  get rows() {
    const all = new Map(this.#confirmed.map((todo) => [todo.id, { todo, state: 'sent' }]))
    for (const [id, { object, state }] of this.#changes) {
      if (object === undefined) {
        all.delete(id)
      } else {
        all.set(id, { todo: object, state })
      }
    }
    return [...all.values()].sort(
      (a, b) => compare(createdAt(a.todo), createdAt(b.todo)) || compare(a.todo.id, b.todo.id),
    )
  }
}

function isReflected({ object, state }, confirmed) {
  if (state === 'sending') return false
  if (state === 'failed') return confirmed !== undefined
  return object === undefined ? confirmed === undefined : confirmed?.version >= object.version
}

/** New ones come last. */
function createdAt(todo) {
  return todo.createdAt ?? '9999'
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}
