/** Page object of the demo page. */
import { complaints } from './browser.js'

/**
Time limit of anything on the page, in milliseconds; waiting ends as soon as the condition holds.
*/
export const PATIENCE = 60_000

export class DemoPage {
  constructor(page) {
    this.page = page
    this.complaints = complaints(page)
    page.setDefaultTimeout(PATIENCE)
  }

  /** A page that has loaded everything, in a context with a cache of its own if none is given. */
  static async open(context, server) {
    const demo = new DemoPage(await context.newPage())
    await demo.page.goto(`${server.base}/demo/`)
    await demo.untilReady()
    return demo
  }

  async untilReady() {
    await this.untilConnection('Live')
    await this.page.locator('.todo').first().waitFor()
    await this.untilSummary(/^12 reads: /)
  }

  untilConnection(text) {
    return this.page.locator('#connection', { hasText: text }).waitFor()
  }

  untilSummary(pattern) {
    return this.page.locator('#summary', { hasText: pattern }).waitFor()
  }

  async add(text) {
    await this.page.getByLabel('New to-do').fill(text)
    await this.page.getByRole('button', { name: 'Add', exact: true }).click()
  }

  todo(text) {
    return this.page.locator('.todo', { hasText: text })
  }

  /** Texts of the list, top to bottom. */
  async todos() {
    return this.page.locator('.todo .text').allTextContents()
  }

  box(text) {
    return this.todo(text).getByRole('checkbox')
  }

  async delete(text) {
    await this.page.getByRole('button', { name: `Delete: ${text}` }).click()
  }

  async chooseBound(seconds) {
    await this.page.locator('#bound label', { hasText: new RegExp(`^${seconds} s$`) }).click()
    await this.page.locator('#filter-age', { hasText: /0 s old/ }).waitFor()
  }

  story(id) {
    return this.page.locator(`.story[data-id="${id}"]`)
  }

  async storyIds() {
    return this.page.locator('.story').evaluateAll((items) => items.map((item) => item.dataset.id))
  }

  async likes(id) {
    return Number(
      await this.story(id)
        .locator('.like')
        .innerText()
        .then((text) => text.replace(/\D/g, '')),
    )
  }

  untilLikes(id, likes) {
    return this.story(id)
      .locator('.like', { hasText: new RegExp(`^\\D*${likes}$`) })
      .waitFor()
  }

  /** Returns the chips of all stories, which show where each was read from. */
  async origins() {
    return this.page.locator('.story .chip').allTextContents()
  }
}
