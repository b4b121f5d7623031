/** The demo page: a live list on one side, a news feed with a look into the caches on the other. */
import { showNews } from './news.js'
import { showTodos } from './todos.js'

function openBeside(event) {
  if (innerWidth < 700) return
  const height = Math.min(screen.availHeight, 860)
  if (window.open('/demo/', '_blank', `popup,width=480,height=${height}`)) event.preventDefault()
}

document.getElementById('second-window').addEventListener('click', openBeside)
showTodos()
showNews()
