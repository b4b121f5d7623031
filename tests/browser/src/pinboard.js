/** Page object of the application of `app`. */
import assert from 'node:assert/strict'
import { complaints } from './browser.js'

/**
 * Time limit of anything on the page, in milliseconds; waiting ends as soon as the condition holds.
 */
const PATIENCE = 60_000

const PASSWORD = 'a password of theirs'

export class Pinboard {
  /**
   * Method, URL without a query, and URL of the frame of each request of the page; a new page has
   * the frame URL `new`.
   */
  requests = []
  #address

  constructor(page, address) {
    this.page = page
    this.#address = address
    this.complaints = complaints(page)
    page.on('request', (request) => this.requests.push(summary(request)))
    page.setDefaultTimeout(PATIENCE)
  }

  /**
   * Opens the application in a browser of its own, with this version of the client and a new user.
   */
  static async open(stage, version, name) {
    const context = await stage.browser.newContext({ viewport: { width: 1000, height: 600 } })
    const address = (board) =>
      `${stage.site.app(version)}?${new URLSearchParams({ api: stage.api.api, board })}`
    const pinboard = new Pinboard(await context.newPage(), address)
    await pinboard.visit('home')
    await pinboard.signUp(name)
    return pinboard
  }

  async visit(board) {
    await this.page.goto(this.#address(board))
    await this.untilReady()
  }

  /**
   * Another page of the same browser opens the application and repeatedly asks all its frames for
   * the user. Returns what it received until the application had started.
   */
  async spiedUpon(board) {
    const spy = await this.page.context().newPage()
    const opening = this.page.context().waitForEvent('page')
    await spy.evaluate((address) => {
      window.told = []
      window.addEventListener('message', ({ data }) => window.told.push(data))
      const question = JSON.stringify({
        mid: 'spy',
        method: 'GET',
        path: '/connect',
        responseHeaders: ['baqend-authorization-token'],
      })
      const opened = window.open(address)
      setInterval(() => {
        for (let i = 0; i < opened.length; i++) opened[i].postMessage(question, '*')
      })
    }, this.#address(board))
    const opened = await opening
    await opened.locator('[data-ready]').waitFor()
    const told = await spy.evaluate(() => window.told)
    await Promise.all([opened.close(), spy.close()])
    return told
  }

  close() {
    return this.page.context().close()
  }

  async reload() {
    await this.page.reload()
    await this.untilReady()
  }

  untilReady() {
    return this.page.locator('[data-ready]').waitFor()
  }

  async signUp(name) {
    await this.#enter('Sign up', name, PASSWORD)
    await this.untilUser(name)
  }

  async logIn(name) {
    await this.#enter('Log in', name, PASSWORD)
    await this.untilUser(name)
  }

  async logInWrongly(name) {
    await this.#enter('Log in', name, 'wrong')
    return this.problem()
  }

  async #enter(button, name, password) {
    await this.page.getByLabel('Name').fill(name)
    await this.page.getByLabel('Password').fill(password)
    await this.#press(button)
  }

  #press(name, within = this.page) {
    return within.getByRole('button', { name, exact: true }).click()
  }

  untilUser(name) {
    return this.page.locator('#name', { hasText: name }).waitFor()
  }

  async logOut() {
    await this.#press('Log out')
    await this.untilNobody()
  }

  untilNobody() {
    return this.page.locator('#door').waitFor()
  }

  /** Returns the displayed error message. */
  async problem() {
    const told = this.page.locator('#problem:not(:empty)')
    await told.waitFor()
    return told.textContent()
  }

  async start() {
    await this.#press('Start this board')
    await this.page.locator('#board').waitFor()
  }

  async pin(text) {
    await this.page.getByLabel('New note').fill(text)
    await this.#press('Pin')
    await this.#note(text).waitFor()
  }

  async changeNote(text, changed) {
    this.page.once('dialog', (dialog) => dialog.accept(changed))
    await this.#press('Change', this.#note(text))
    await this.#note(changed).waitFor()
  }

  #note(text) {
    return this.page.locator('#notes li', { hasText: text })
  }

  notes() {
    return this.page.locator('#notes span').allTextContents()
  }

  async add(text, { isPrivate = false } = {}) {
    await this.page.getByLabel('New to-do').fill(text)
    await this.page.getByLabel('only for me').setChecked(isPrivate)
    await this.#press('Add')
    await this.#todo(text).waitFor()
  }

  #todo(text) {
    return this.page.locator('#todos li', { hasText: text })
  }

  /** Toggles a to-do; the change resolves when the server has it. */
  tick(text) {
    return this.#change(/\/db\/Todo\/[^/]+$/, () => this.#todo(text).getByRole('checkbox').click())
  }

  delete(text) {
    return this.#change(/\/db\/Todo\/[^/]+$/, () => this.#press('Delete', this.#todo(text)))
  }

  moveUp(text) {
    return this.#change(/\/committed$/, () => this.#press('Up', this.#todo(text)))
  }

  async #change(path, action) {
    const answered = this.page.waitForResponse(path)
    await action()
    await answered
  }

  /** Returns whether to-dos show changes by others without a reload. */
  async isLive() {
    return !(await this.#refresh().isVisible())
  }

  /** Waits for this list and number of open to-dos. A list that is not live is loaded again. */
  async untilTodos(todos, open) {
    if (!(await this.isLive())) await this.#refresh().click()
    await this.#untilTexts({ '#todos span': todos, '#open': [`${open} open`] })
  }

  #refresh() {
    return this.page.getByRole('button', { name: 'Refresh' })
  }

  async find(start, expected) {
    await this.page.getByLabel('Find').fill(start)
    await this.#press('Find')
    await this.#untilTexts({ '#found li': expected })
  }

  /** Waits until the elements of these selectors have these texts. */
  async #untilTexts(expected) {
    await this.page.waitForFunction(haveTexts, expected).catch(() => {})
    for (const [selector, texts] of Object.entries(expected)) {
      assert.deepEqual(await this.page.locator(selector).allTextContents(), texts, selector)
    }
  }
}

function summary(request) {
  const frame = request.isNavigationRequest() ? 'new' : withoutQuery(request.frame().url())
  return { method: request.method(), url: withoutQuery(request.url()), frame }
}

const withoutQuery = (url) => url.split('?')[0]

/** Evaluated in the page. */
function haveTexts(expected) {
  return Object.entries(expected).every(([selector, texts]) => {
    const found = Array.from(document.querySelectorAll(selector), (element) => element.textContent)
    return JSON.stringify(found) === JSON.stringify(texts)
  })
}
