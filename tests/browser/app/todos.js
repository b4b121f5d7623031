import { db } from 'baqend'
import { attempt, byId, element, onSubmit } from './elements.js'
import { saveTogether } from './together.js'

/** Versions of the client from 4 on have no live queries. */
const live = () => 'resultStream' in db.Todo.find()

/** The to-dos of a board: those of all users, and the user's own. */
export class Todos {
  #board
  #todos = []
  #subscriptions = []

  constructor() {
    onSubmit('new-todo', ({ text, private: isPrivate }) => this.#add(text, isPrivate))
    onSubmit('find', ({ start }) => this.#find(start))
    byId('refresh').addEventListener('click', () => attempt(() => this.#refresh()))
  }

  #query() {
    return db.Todo.find().equal('board', this.#board)
  }

  #sorted() {
    return this.#query().ascending('rank').limit(100)
  }

  #open() {
    return this.#query().equal('done', false)
  }

  /** Shows the list and follows its changes. */
  async show(board) {
    this.#board = board
    byId('refresh').hidden = live()
    this.#subscriptions.splice(0).forEach((subscription) => subscription.unsubscribe())
    if (live()) {
      this.#follow(this.#sorted(), (todos) => this.#list(todos))
      this.#follow(this.#open(), (open) => this.#count(open.length))
    } else {
      await this.#refresh()
    }
  }

  #follow(query, show) {
    const tell = (error) => attempt(() => Promise.reject(error))
    this.#subscriptions.push(query.resultStream(show, tell))
  }

  async #refresh() {
    this.#list(await this.#sorted().resultList())
    this.#count(await this.#open().count())
  }

  #list(todos) {
    this.#todos = todos
    byId('todos').replaceChildren(...todos.map((todo, at) => this.#item(todo, at)))
  }

  #count(open) {
    byId('open').textContent = `${open} open`
  }

  #item(todo, at) {
    const done = element('input', { type: 'checkbox', checked: todo.done, disabled: !db.User.me })
    done.addEventListener('change', () => this.#change(() => this.#tick(todo, done.checked)))
    const text = element('label', {}, done, element('span', { textContent: todo.text }))
    const by = element('small', { textContent: todo.acl.isPublicReadAllowed() ? todo.by : 'only you' })
    return element(
      'li',
      { className: todo.done ? 'done' : '' },
      text,
      by,
      this.#button('Up', at === 0, () => this.#moveUp(todo, this.#todos[at - 1])),
      this.#button('Delete', false, () => todo.delete()),
    )
  }

  #button(textContent, disabled, action) {
    const button = element('button', { textContent, disabled, className: 'members' })
    button.addEventListener('click', () => this.#change(action))
    return button
  }

  /** Runs an action on the list; a live list shows its effect without a reload. */
  #change(action) {
    return attempt(async () => {
      try {
        await action()
      } finally {
        if (!live()) await this.#refresh()
      }
    })
  }

  #add(text, isPrivate) {
    const { me } = db.User
    const todo = new db.Todo({ board: this.#board, text, done: false, rank: Date.now(), by: me.username })
    if (isPrivate) {
      todo.acl.allowReadAccess(me).allowWriteAccess(me)
    }
    return this.#change(() => todo.insert())
  }

  #tick(todo, done) {
    return todo.partialUpdate().set('done', done).execute()
  }

  #moveUp(todo, above) {
    return saveTogether([
      [todo, { rank: above.rank }],
      [above, { rank: todo.rank }],
    ])
  }

  async #find(start) {
    const literally = start.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const found = await this.#query().matches('text', `^${literally}`).ascending('text').resultList()
    byId('found').replaceChildren(...found.map(({ text }) => element('li', { textContent: text })))
  }
}
