/** Sets the first root password, if the address has a set-up token; links to what there is. */

const $ = (id) => document.getElementById(id)

function setupToken() {
  return new URLSearchParams(location.hash.slice(1)).get('setup')
}

/** Shows the form while there is a token to use. A link that is opened in this window again counts as well. */
function showSetup() {
  $('setup').hidden = setupToken() === null
}

function say(problem) {
  $('setup-problem').textContent = problem
}

async function setUp(event) {
  event.preventDefault()
  const { password, repeated } = event.target.elements
  if (password.value !== repeated.value) {
    say('The two passwords differ.')
    repeated.focus()
    return
  }
  const button = event.target.querySelector('button')
  button.disabled = true
  say('')
  say(await send(setupToken(), password.value))
  button.disabled = false
}

/** Returns what went wrong, or nothing. */
async function send(token, password) {
  try {
    const response = await fetch('/v1/-/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, password }),
    })
    return response.status === 204 ? finish() : await refusal(response)
  } catch {
    return 'The server does not answer. Is it still running?'
  }
}

async function refusal(response) {
  if (response.status === 460) {
    return 'This link was used already, or is from an earlier start. If nobody has set a password, the next start prints a new link.'
  }
  const failure = await response.json().catch(() => ({}))
  return failure.message ?? `The server answered with status ${response.status}.`
}

/** The token is worthless now and need not stay in the address and the history. */
function finish() {
  history.replaceState(null, '', location.pathname)
  $('setup-form').reset()
  $('setup').hidden = true
  $('login').textContent = [
    `curl -i ${location.origin}/v1/db/User/login \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"username":"root","password":"…"}'`,
  ].join('\n')
  $('done').hidden = false
  $('done-title').focus()
  return ''
}

/** With the demo the root of the server leads there; asking for the demo itself would log an error without it. */
async function findDemo() {
  const { url } = await fetch('/')
  const served = new URL(url).pathname === '/demo/'
  $('demo-link').hidden = !served
  $('demo-hint').hidden = served
}

function reveal(event) {
  for (const id of ['password', 'repeated']) {
    $(id).type = event.target.checked ? 'text' : 'password'
  }
}

$('setup-form').addEventListener('submit', setUp)
$('reveal').addEventListener('change', reveal)
addEventListener('hashchange', showSetup)
showSetup()
findDemo().catch(() => {})
