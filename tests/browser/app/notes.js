import { db } from 'baqend'
import { attempt, byId, element, onSubmit } from './elements.js'

/**
 * The notes on a board. They are loaded by their ids, so that the browser caches them, and the
 * client revalidates only those that others have changed.
 */
export class Notes {
  #board

  constructor() {
    onSubmit('new-note', ({ text }) => this.#pin(text))
  }

  show(board) {
    this.#board = board
    return this.#load()
  }

  async #load() {
    const notes = await Promise.all(this.#board.notes.map((note) => note.load()))
    byId('notes').replaceChildren(...notes.filter(Boolean).map((note) => this.#card(note)))
  }

  #card(note) {
    const change = element('button', { textContent: 'Change', className: 'members' })
    change.addEventListener('click', () => {
      const text = prompt('Note', note.text)
      if (text !== null) attempt(() => this.#change(note, text))
    })
    return element('li', {}, element('span', { textContent: note.text }), change)
  }

  async #pin(text) {
    const note = await new db.Note({ text }).insert()
    await this.#board.partialUpdate().push('notes', note).execute()
    await this.#load()
  }

  async #change(note, text) {
    note.text = text
    await note.save()
    await this.#load()
  }
}
