/** Page object of the dashboard, which records its requests and checks its accessibility. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { complaints } from './browser.js'

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Modes in which the dashboard has to be usable. */
export const MODES = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
  'dark phone': {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
  },
}

export const PASSWORD = 'correct horse battery'

/** Fails if axe-core finds an accessibility problem on a page of Playwright's. */
export async function assertPageAccessible(page, where) {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run()
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
    )
  })
  assert.deepEqual(violations, [], where)
}

/**
One window of the dashboard; `page` is Playwright's, `found` lists the errors of the page, `asked`
the URLs that it requested.
*/
export class Dashboard {
  /** Opens the dashboard of this server at the place behind `#`. */
  static async open(browser, server, { mode = 'light', at = '' } = {}) {
    const dashboard = new Dashboard()
    const context = await browser.newContext(MODES[mode])
    context.setDefaultTimeout(60_000)
    dashboard.base = server.base
    dashboard.page = await context.newPage()
    dashboard.found = complaints(dashboard.page)
    dashboard.asked = []
    dashboard.page.on('request', (request) => dashboard.asked.push(request.url()))
    await dashboard.page.goto(`${server.base}/dashboard/${at}`)
    return dashboard
  }

  /** Opens the dashboard and logs in as root; see `open`. */
  static async enter(browser, server, options) {
    const dashboard = await this.open(browser, server, options)
    await dashboard.logIn('root', PASSWORD)
    await dashboard.page.getByRole('button', { name: 'Log out' }).waitFor()
    return dashboard
  }

  async logIn(username, password) {
    await this.page.getByLabel('User name').fill(username)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Log in' }).click()
  }

  /** Goes to the place behind `#`, within the page. */
  async goTo(hash) {
    await this.page.evaluate((next) => {
      location.hash = next
    }, hash)
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true })
  }

  heading(name) {
    return this.page.getByRole('heading', { name, exact: true })
  }

  /** Waits until all dialogs are closed; a confirmation lies above the dialog that opened it. */
  async untilNoDialog() {
    await this.page.getByRole('dialog').first().waitFor({ state: 'detached' })
  }

  /** Returns the text of the MongoDB filter, once its editor is loaded. */
  async filterText() {
    const box = this.page.getByLabel('MongoDB filter')
    await box.waitFor()
    const lines = await box
      .locator('.cm-line')
      .evaluateAll((all) =>
        all.map((line) => (line.querySelector('.cm-placeholder') ? '' : line.textContent)),
      )
    return lines.join('\n')
  }

  /** Returns a cell by the text of its column and the number of its row, from 0. */
  cell(row, column) {
    return this.page.locator(`[data-cell="${row}:${column}"]`)
  }

  /** Returns the texts of the first field's column, in displayed order. */
  texts() {
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('gridcell') })
      .evaluateAll((rows) => rows.map((row) => row.querySelector('[aria-colindex="3"]').innerText))
  }

  /** Waits until that column shows these texts. */
  async untilTexts(...wanted) {
    const deadline = Date.now() + 40_000
    while (JSON.stringify(await this.texts()) !== JSON.stringify(wanted)) {
      assert.ok(Date.now() < deadline, `${await this.texts()} instead of ${wanted}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Removes expected errors of this kind, and no others, from those recorded. */
  expectComplaints(pattern) {
    const others = this.found.filter((complaint) => !pattern.test(complaint))
    assert.ok(others.length < this.found.length, `${this.found}`)
    this.found.splice(0, this.found.length, ...others)
  }

  /** Fails if axe-core finds an accessibility problem on the page. */
  assertAccessible(where) {
    return assertPageAccessible(this.page, where)
  }

  /**
  Fails if the page logged errors, broke its policy, or sent a request to anything but its server.
  */
  assertQuiet() {
    assert.deepEqual(this.found, [])
    assert.deepEqual(
      this.asked.filter((url) => !url.startsWith(`${this.base}/`)),
      [],
    )
  }

  close() {
    return this.page.context().close()
  }
}
