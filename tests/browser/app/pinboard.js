import { db } from 'baqend'
import { openDoor } from './account.js'
import { attempt, byId } from './elements.js'
import { Notes } from './notes.js'
import { Todos } from './todos.js'

const settings = new URLSearchParams(location.search)
const key = settings.get('board') ?? 'home'

const [notes, todos] = [new Notes(), new Todos()]

/** Shows those parts of the board that the user of the page may see. */
async function showBoard() {
  const board = await db.Board.load(key)
  byId('board').hidden = !board
  byId('missing').hidden = Boolean(board)
  if (board) {
    byId('title').textContent = board.title
    await Promise.all([notes.show(board), todos.show(board)])
  }
}

function startBoard() {
  return new db.Board({ id: key, title: `Pinboard: ${key}`, notes: [] }).insert()
}

await attempt(async () => {
  await db.connect(settings.get('api') ?? 'http://127.0.0.1:8080/v1')
  byId('start').addEventListener('click', () => attempt(() => startBoard().then(showBoard)))
  await openDoor(showBoard)
})
document.body.dataset.ready = ''
