/** Shows the to-do list and turns clicks into writes. */
import { Refused, newId, write } from './api.js'
import { arrange, element, flash, setText } from './elements.js'
import { follow } from './liveList.js'
import { TodoList } from './todoList.js'

const BUCKET = 'demo.Todo'
const STATES = { connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…' }

const $ = (id) => document.getElementById(id)
const todos = new TodoList()
const rows = new Map()
const turns = new Map()
let isLoaded = false

export function showTodos() {
  $('new-todo').addEventListener('submit', submit)
  follow(BUCKET, update, showConnection)
}

function showConnection(state) {
  $('connection').dataset.state = state
  setText($('connection'), STATES[state])
  if (state === 'live') todos.forgetSent()
}

function update(list) {
  const { added, changed, gone } = todos.confirm(list)
  render()
  if (isLoaded) {
    changed.forEach((todo) => flash(rows.get(todo.id).item))
    announce(added, gone)
  }
  isLoaded = true
}

function announce(added, gone) {
  const news = [...added.map((todo) => `Added: ${todo.text}`), ...gone.map((todo) => `Deleted: ${todo.text}`)]
  if (news.length > 0) setText($('announcement'), news.join('. '))
}

function render() {
  const shown = todos.rows
  const items = shown.map(({ todo, state }) => {
    if (!rows.has(todo.id)) rows.set(todo.id, new Row(todo.id))
    const row = rows.get(todo.id)
    row.show(todo, state)
    return row.item
  })
  arrange($('todo-list'), items)
  const ids = new Set(shown.map(({ todo }) => todo.id))
  for (const id of rows.keys()) {
    if (!ids.has(id)) rows.delete(id)
  }
  const open = shown.filter(({ todo }) => !todo.done).length
  setText(
    $('todo-count'),
    shown.length === 0 ? 'Nothing on the list.' : `${open} of ${shown.length} still open`,
  )
}

/** One to-do on the page. */
class Row {
  constructor(id) {
    this.id = id
    this.box = element('input', { type: 'checkbox' })
    this.text = element('span', { className: 'text' })
    this.retry = element('button', {
      type: 'button',
      className: 'link',
      textContent: 'Not saved – try again',
    })
    this.remove = element('button', { type: 'button', className: 'remove', textContent: '×' })
    this.item = element(
      'li',
      { className: 'todo' },
      element('label', {}, this.box, this.text),
      this.retry,
      this.remove,
    )
    this.box.addEventListener('click', (event) => {
      if (this.state === 'failed') event.preventDefault()
    })
    this.box.addEventListener('change', () => toggle(id))
    this.retry.addEventListener('click', () => add(this.todo))
    this.remove.addEventListener('click', () => this.discard())
  }

  show(todo, state) {
    this.todo = todo
    this.state = state
    this.box.checked = todo.done === true
    setText(this.text, String(todo.text))
    this.item.classList.toggle('done', todo.done === true)
    this.item.dataset.state = state
    this.retry.hidden = state !== 'failed'
    this.remove.ariaLabel = `Delete: ${todo.text}`
  }

  discard() {
    const neighbour = this.item.nextElementSibling ?? this.item.previousElementSibling
    const target = neighbour?.querySelector('.remove') ?? $('text')
    if (this.state === 'failed') {
      todos.drop(this.id)
      render()
    } else {
      remove(this.id)
    }
    target.focus()
  }
}

function submit(event) {
  event.preventDefault()
  const text = $('text').value.trim()
  if (text === '') return
  $('text').value = ''
  add({ id: newId(BUCKET), text, done: false })
}

/** Sending it again is harmless: the id is ours, so a to-do that arrived after all is not made twice. */
function add(todo) {
  const turn = change(
    todo.id,
    todo,
    () => write('POST', `/db/${BUCKET}`, todo),
    (failure) => (failure instanceof Refused ? arrived(failure, todo) : todos.fail(todo.id)),
  )
  turns.set(todo.id, turn)
  return turn
}

function arrived(failure, todo) {
  todos.drop(todo.id)
  return failure.status === 409 ? undefined : `“${todo.text}” was not saved: ${failure.message}`
}

/** Only if it is still as shown here: nobody's tick is undone unseen. */
function toggle(id) {
  return inTurn(id, (todo) => {
    const next = { ...todo, done: !todo.done }
    return change(
      id,
      next,
      () => write('PUT', id, next, todo.version),
      (failure) => revert(failure, todo),
    )
  })
}

function remove(id) {
  return inTurn(id, (todo) =>
    change(
      id,
      undefined,
      () => write('DELETE', id),
      (failure) => revert(failure, todo),
    ),
  )
}

/** Changes of one to-do follow each other: the next begins with what the last one made of it. */
function inTurn(id, act) {
  const turn = (turns.get(id) ?? Promise.resolve()).then(() => {
    const row = rows.get(id)
    return row?.state === 'sent' ? act(row.todo) : undefined
  })
  turns.set(id, turn)
  return turn.finally(() => turns.get(id) === turn && turns.delete(id))
}

function revert(failure, todo) {
  todos.drop(todo.id)
  if (!(failure instanceof Refused)) return `“${todo.text}” is unchanged: the server does not answer.`
  if (failure.status === 404) return `Somebody deleted “${todo.text}”.`
  if (failure.status === 412)
    return `Somebody changed “${todo.text}” at the same moment. This is how it is now.`
  return `“${todo.text}” is unchanged: ${failure.message}`
}

/** Shows a change at once and takes it back if it fails; onFailure does that and returns what to say. */
async function change(id, object, send, onFailure) {
  todos.begin(id, object)
  setText($('todo-problem'), '')
  render()
  try {
    todos.succeed(id, await send())
  } catch (failure) {
    setText($('todo-problem'), onFailure(failure) ?? '')
  }
  render()
}
