import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

describe('dashboard, logs', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer()
    ;({ server, browser, root } = parts)
  })

  after(() => parts?.clear())

  const open = (mode = 'light') => Dashboard.enter(browser, server, { mode, at: '#/logs' })

  const lineOf = (dashboard, name) => dashboard.page.locator('.log-entry').filter({ hasText: `[${name}]` })

  let classes = 0

  /** Has the server log a message with a unique name. */
  async function drop(prefix = 'Passing') {
    const name = `${prefix}${++classes}`
    const { status } = await server.call(
      'POST',
      `/schema/${name}`,
      { class: `/db/${name}`, fields: {} },
      root,
    )
    assert.equal(status, 200)
    assert.equal((await server.call('DELETE', `/schema/${name}`, undefined, root)).status, 204)
    return name
  }

  /** Serves these log entries, for cases that a test cannot provoke. */
  async function answerWith(dashboard, answer) {
    await dashboard.page.route('**/v1/-/logs?*', (route) => route.fulfill({ json: answer(route.request()) }))
  }

  function entry(sequence, more = {}) {
    return {
      sequence,
      time: 1_772_357_400_000 + sequence,
      level: 'info',
      logger: 'io.orestes.replication.PeerGroup',
      thread: 'vert.x-eventloop-thread-0',
      message: `entry ${sequence}`,
      stackTrace: null,
      ...more,
    }
  }

  test('log_empty_explainsItself', async () => {
    const dashboard = await Dashboard.enter(browser, server, {
      at: '#/health',
    })
    await answerWith(dashboard, () => ({
      log: 'a',
      entries: [],
      after: 'a.0',
      more: false,
      lost: 0,
      dropped: 0,
    }))
    await dashboard.goTo('#/logs')

    await dashboard.page.getByText('This server has had nothing to say yet.').waitFor()
    await dashboard.assertAccessible('empty')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('tail_followed_showsWhatTheServerLogs', async () => {
    await drop()
    const dashboard = await open()
    await dashboard.page.getByRole('log', { name: 'Log' }).waitFor()

    const name = await drop()

    await lineOf(dashboard, name).getByText('SchemaRegistry').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('tail_paused_waitsUntilResumed', async () => {
    await drop()
    const dashboard = await open()
    await dashboard.page.getByRole('log').waitFor()
    const tail = dashboard.button('Live tail')
    assert.equal(await tail.getAttribute('aria-pressed'), 'true')
    await tail.click()
    const asked = () => dashboard.asked.filter((url) => url.includes('/-/logs')).length
    // a request may have been under way
    await dashboard.page.waitForTimeout(1500)
    const before = asked()

    const name = await drop()
    await dashboard.page.waitForTimeout(2500)

    assert.equal(asked(), before)
    assert.equal(await lineOf(dashboard, name).count(), 0)
    await tail.click()
    await lineOf(dashboard, name).waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('filters_set_leaveOutTheRest', async () => {
    const [one, other] = [await drop('Wanted'), await drop('Other')]
    const dashboard = await open()
    const { page } = dashboard
    await lineOf(dashboard, other).waitFor()

    await page.getByLabel('Search').fill(`[${one}]`.toLowerCase())
    await lineOf(dashboard, other).waitFor({ state: 'detached' })
    await lineOf(dashboard, one).waitFor()
    await page.getByLabel('Level').selectOption({ label: 'Errors' })
    await page.getByText('No entry is like that yet.').waitFor()
    await dashboard.assertAccessible('nothing found')
    await dashboard.button('Show everything').click()
    await lineOf(dashboard, other).waitFor()

    assert.equal(await page.getByLabel('Search').inputValue(), '')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('entry_opened_showsItsStackTrace', async () => {
    const dashboard = await Dashboard.enter(browser, server, {
      at: '#/health',
    })
    const { page } = dashboard
    const stackTrace = 'java.io.IOException: no space\n\tat a.B.c(B.java:1)\nCaused by: d.E: why'
    const failed = entry(2, {
      level: 'error',
      message: 'Not written\n<b>bold</b>',
      stackTrace,
    })
    await answerWith(dashboard, (request) => {
      const isFirst = !request.url().includes('after=a')
      return {
        log: 'a',
        entries: isFirst ? [entry(1), failed] : [],
        after: 'a.2',
        more: false,
        lost: 0,
        dropped: 0,
      }
    })
    await dashboard.goTo('#/logs')
    await page.getByRole('button', { name: 'Not written' }).waitFor()

    await page.getByRole('log').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')

    await page.getByText('Caused by: d.E: why').waitFor()
    assert.equal(
      await page.getByRole('button', { name: 'Not written' }).getAttribute('aria-expanded'),
      'true',
    )
    assert.equal(await page.locator('.log b').count(), 0)
    await dashboard.button('Copy Entry 2').click()
    await page.getByRole('button', { name: /^(Copied|Selected) Entry 2$/ }).waitFor()
    await dashboard.assertAccessible('open')
    await page.getByRole('button', { name: 'Not written' }).focus()
    await page.keyboard.press('ArrowUp')
    assert.match(await page.evaluate(() => document.activeElement.innerText), /entry 1/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('lines_byTheThousand_areRenderedInPartAndKeepTheReadingPosition', async () => {
    const dashboard = await Dashboard.enter(browser, server, {
      at: '#/health',
    })
    const { page } = dashboard
    let last = 1000
    const first = Array.from({ length: 1000 }, (_, i) => entry(i + 1))
    await answerWith(dashboard, (request) => {
      const entries = request.url().includes('after=a') ? [entry(++last)] : first
      return {
        log: 'a',
        entries,
        after: `a.${last}`,
        more: false,
        lost: 0,
        dropped: 0,
      }
    })
    await dashboard.goTo('#/logs')
    await page.getByText('entry 1002', { exact: true }).waitFor()
    assert.ok((await page.locator('.log-line').count()) < 100)

    await page.getByRole('log').evaluate((log) => {
      log.scrollTop = 3000
    })
    await dashboard.button('To the newest').waitFor()
    const seen = last
    while (last < seen + 3) await page.waitForTimeout(100)

    assert.equal(await page.getByRole('log').evaluate((log) => log.scrollTop), 3000)
    await dashboard.button('To the newest').click()
    await page.getByText(`entry ${seen + 3}`, { exact: true }).waitFor()
    await dashboard.button('To the newest').waitFor({ state: 'detached' })
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('log_thatFailsToLoad_isRetried', async () => {
    const name = await drop()
    const dashboard = await Dashboard.enter(browser, server, {
      at: '#/health',
    })
    const { page } = dashboard
    await page.route('**/v1/-/logs?*', (route) => route.abort())
    await dashboard.goTo('#/logs')
    await page.getByText('The server does not answer').waitFor()
    await dashboard.button('Live tail').click()
    await page.unroute('**/v1/-/logs?*')

    await dashboard.button('Try again').click()

    await lineOf(dashboard, name).waitFor()
    await page.getByText('The server does not answer').waitFor({ state: 'detached' })
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`log_${mode}_isUsableByEverybody`, async () => {
      const name = await drop()
      const dashboard = await open(mode)
      await lineOf(dashboard, name).click()
      await dashboard.page.getByText('Copy').waitFor()

      await dashboard.assertAccessible('log')
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width, `${width}`)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }
})
