import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { connect } from '../../../../js-sdk/dist/index.js'
import { Dashboard, PASSWORD } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

const AsyncFunction = (async () => {}).constructor

describe('dashboard, API', () => {
  let parts, server, browser, dashboard, page, token

  const FIELDS = {
    title: {
      name: 'title',
      type: '/db/String',
      flags: ['NOTNULL'],
      metadata: { 'orestes.pattern': '^[A-Z].+$' },
    },
    pages: { name: 'pages', type: '/db/Integer', metadata: { 'orestes.min': '10' } },
    state: { name: 'state', type: '/db/String', metadata: { 'orestes.enum': '["new", "it\'s used"]' } },
    tags: { name: 'tags', type: '/db/collection.Set[/db/String]', metadata: { 'orestes.minLength': '2' } },
    printed: { name: 'printed', type: '/db/Date', metadata: { 'orestes.max': '1999-12-31' } },
    place: { name: 'place', type: '/db/GeoPoint' },
    publisher: { name: 'publisher', type: '/db/Publisher' },
    sequel: { name: 'sequel', type: '/db/Book' },
  }
  const PUBLISHER = {
    class: '/db/Publisher',
    embedded: true,
    fields: { name: { name: 'name', type: '/db/String' } },
  }

  before(async () => {
    parts = await ownedServer()
    ;({ server, browser } = parts)
    token = parts.root.Authorization.slice('BAT '.length)
    await makeClass()
    await writeFile(`${parts.data.path}/.curlrc`, 'silent\nfail-with-body\nshow-error\n')
    dashboard = await Dashboard.enter(browser, server, { at: '#/api' })
    page = dashboard.page
    await page.getByLabel('Class').selectOption('Book')
    await page.locator('[data-operation=insert]').waitFor()
    sample = JSON.parse(await (await opened('insert')).getByLabel('Body').inputValue())
  })

  after(() => parts?.clear())

  const asRoot = (method, path, body) => server.call(method, path, body, parts.root)

  async function makeClass() {
    assert.equal((await asRoot('POST', '/schema/Publisher', PUBLISHER)).status, 200)
    assert.equal((await asRoot('POST', '/schema/Book', { class: '/db/Book', fields: FIELDS })).status, 200)
  }

  /** Opens the operation. */
  async function opened(id) {
    const operation = page.locator(`[data-operation="${id}"]`)
    if (!(await operation.evaluate((it) => it.open))) await operation.locator('summary').first().click()
    await operation.locator('figure').first().waitFor()
    return operation
  }

  async function snippetsOf(operation) {
    const found = await operation
      .locator('figure')
      .evaluateAll((all) =>
        all.map((it) => [
          it.querySelector('button').getAttribute('aria-label'),
          it.querySelector('pre').innerText,
        ]),
      )
    return Object.fromEntries(found.map(([label, code]) => [label.replace('Copy ', ''), code]))
  }

  /** Brings the server into a state in which the operation succeeds on the sample. */
  async function prepare(id) {
    await asRoot('DELETE', '/banned')
    await makeClass()
    const user = await ann()
    if (user) await asRoot('DELETE', user.id)
    if (id !== 'register') {
      const draft = { user: { username: 'ann' }, password: 'correct horse' }
      assert.equal((await asRoot('POST', '/db/User/register', draft)).status, 200)
    }
    await (id === 'insert' ? asRoot('DELETE', '/db/Book/sample') : asRoot('PUT', '/db/Book/sample', sample))
    if (id === 'disposeQuery' || id.startsWith('preparedQuery')) await prepareQuery()
    if (id === 'commitTransaction' || id === 'abortTransaction') await begin()
    if (id === 'endLiveQuery') await watch()
    if (id === 'revokeTokens') given = { oid: (await ann()).id.split('/').at(-1) }
  }

  const ann = async () =>
    (await asRoot('GET', `/db/User/query?q=${encodeURIComponent('{"username":"ann"}')}`)).body[0]

  /** `given` has, after the preparation, the values that only the caller knows. */
  let sample, given
  const watching = []

  async function prepareQuery() {
    const { body } = await asRoot('POST', '/query', { bucket: 'Book', query: {} })
    given = { qid: body.id.split('/').at(-1) }
  }

  async function begin() {
    const { body } = await asRoot('POST', '/transaction')
    given = { tid: body.tid ?? body.id.split('/').at(-1) }
  }

  async function watch() {
    const abort = new AbortController()
    watching.push(abort)
    const url = `${server.base}/v1/db/Book/events?q=${encodeURIComponent(JSON.stringify({ pages: watching.length }))}`
    const response = await fetch(url, { headers: parts.root, signal: abort.signal })
    await response.body.getReader().read()
    const wanted = new RegExp(`pages.*\\b${watching.length}\\b`)
    const deadline = Date.now() + 40_000
    for (let found; found === undefined; ) {
      assert.ok(Date.now() < deadline, 'no live query')
      const { body } = await asRoot('GET', '/-/live-queries')
      found = body.queries.find((query) => query.class === 'Book' && wanted.test(query.filter))
      given = { id: found?.id }
    }
  }

  /** Operations that a server with an owner refuses, or that would lock its owner out. */
  const REFUSED = {
    setup: 'the server has a root already',
    bannedAnswer: 'is the answer to who is banned',
    changeUsername: 'needs mail',
    isBanned: 'nobody is banned',
    removePassword: 'takes the password from root',
  }

  const runners = {
    curl: (code) => curl(code),
    fetch: async (code) => {
      const response = await new AsyncFunction('token', `${code}; return response`)(token)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      await response.body?.cancel()
    },
    SDK: async (code) => {
      const db = await connect(server.base)
      await db.users.login('root', PASSWORD)
      try {
        await new AsyncFunction('db', 'connect', 'console', uninitialised(code))(db, connect, {
          log: () => {},
        })
      } finally {
        db.close()
      }
    },
  }

  /** The snippet connects a client of its own instead of the one that it is given. */
  const uninitialised = (code) => code.replace('const db = await', 'await')

  async function curl(code) {
    const env = { ...process.env, TOKEN: token, CURL_HOME: parts.data.path }
    if (code.startsWith('curl -N')) return firstBytes(code, env)
    await new Promise((resolve, reject) =>
      execFile('bash', ['-c', code], { env }, (error, stdout) =>
        error === null ? resolve() : reject(new Error(`${stdout} ${error.message}`)),
      ),
    )
  }

  async function firstBytes(code, env) {
    const child = spawn('bash', ['-c', `exec ${code}`], { env })
    await once(child.stdout, 'data')
    child.kill()
    await once(child, 'exit')
  }

  test('snippets_ofEveryOperation_runUnchanged', async (t) => {
    const ids = await page
      .locator('[data-operation]')
      .evaluateAll((all) => all.map((it) => it.dataset.operation))
    assert.ok(ids.length > 60, `${ids.length}`)
    const failures = []
    for (const id of ids.filter((each) => each !== 'preparations' && !(each in REFUSED))) {
      const operation = await opened(id)
      const names = Object.keys(await snippetsOf(operation))
      for (const name of names) {
        given = {}
        await prepare(id)
        for (const [parameter, value] of Object.entries(given)) {
          await operation.getByLabel(parameter, { exact: true }).fill(value)
        }
        const code = (await snippetsOf(operation))[name]
        await runners[name](code).catch((error) => failures.push(`${id} ${name}: ${error.message}\n${code}`))
      }
      await operation.locator('summary').first().click()
    }
    watching.forEach((each) => each.abort())
    assert.deepEqual(failures, [])
    t.diagnostic(`${ids.length} operations`)
  })
  test('token_preparedAsShown_isOneOfRoot', async () => {
    const { curl: shell, fetch: script, SDK } = await snippetsOf(await opened('preparations'))
    const ofRoot = (code) => code.replaceAll(/(['"])password\1(?=[ )])(?! *:)/g, `$1${PASSWORD}$1`)

    const printed = await new Promise((resolve) =>
      execFile('bash', ['-c', `${ofRoot(shell)}; printf %s "$TOKEN"`], (error, stdout) => resolve(stdout)),
    )
    const fetched = await new AsyncFunction(`${ofRoot(script)}; return token`)()
    const inside = ofRoot(SDK).replace(/^import .*/, '')
    const db = await new AsyncFunction('connect', `${inside}; return db`)(connect)

    for (const each of [printed, fetched, db.users.token]) {
      const { body } = await server.call('GET', '/db/User/me', undefined, { Authorization: `BAT ${each}` })
      assert.equal(body.username, 'root')
    }
    db.close()
  })

  test('request_sent_showsTheAnswerAndNoToken', async () => {
    await makeClass()
    await asRoot('DELETE', '/db/Book')
    await asRoot('PUT', '/db/Book/sample', sample)
    const query = await opened('query')
    await query.getByLabel('count', { exact: true }).fill('1')
    await query.getByRole('button', { name: 'Send' }).click()
    await query.getByText('200', { exact: true }).waitFor()
    assert.match(await query.getByLabel('Body of the answer').innerText(), /"id": "\/db\/Book\/sample"/)
    const load = await opened('load')
    await load.getByLabel('oid', { exact: true }).fill('none')
    await load.getByRole('button', { name: 'Send' }).click()
    await load.getByText('404', { exact: true }).waitFor()

    const login = await opened('login')
    await login.getByLabel('Body').fill(JSON.stringify({ username: 'root', password: PASSWORD }))
    await login.getByRole('button', { name: 'Send' }).click()
    await login.getByText('200', { exact: true }).waitFor()
    await login.getByText(/ headers$/).click()
    await login.getByText('baqend-authorization-token: (not shown)').waitFor()
    const shown = await page.locator('main').innerText()
    assert.ok(!shown.includes(await page.evaluate(() => localStorage.getItem('orestes-dashboard-token'))))
    await dashboard.assertAccessible('answers')
    dashboard.expectComplaints(/404/)
  })

  test('request_thatWrites_isSentOnlyOnceConfirmed', async () => {
    await makeClass()
    await asRoot('PUT', '/db/Book/sample', sample)
    const truncate = await opened('truncate')
    await truncate.getByRole('button', { name: 'Send' }).click()
    await dashboard.heading('Send truncate?').waitFor()
    await dashboard.button('Cancel').click()
    await dashboard.untilNoDialog()
    assert.equal((await asRoot('GET', '/db/Book/sample')).status, 200)
    await truncate.getByRole('button', { name: 'Send' }).click()
    await dashboard.button('Send DELETE').click()
    await truncate.getByRole('status').waitFor()

    assert.equal((await asRoot('GET', '/db/Book/sample')).status, 404)
  })
})
