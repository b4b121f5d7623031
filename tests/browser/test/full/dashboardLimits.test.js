import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Dashboard } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

/** More objects than the server returns at once, and than it follows live. */
const TODOS = 150
const RESULTS = 60
const WINDOW = 40

const ONCE = { times: 1 }

describe('dashboard, more than a server returns at once', () => {
  let parts, server, root, dashboard, page

  before(async () => {
    parts = await ownedServer({ Todo: { text: 'String', done: 'Boolean' }, Brief: { text: 'String' } }, [
      `--query.max-results=${RESULTS}`,
      `--live.max-window=${WINDOW}`,
    ])
    ;({ server, root } = parts)
  })

  after(() => parts?.clear())

  beforeEach(async () => {
    await server.call('DELETE', '/db/Todo', undefined, root)
    const rows = Array.from({ length: TODOS }, (_, i) => ({ id: idOf(i), text: `t${i}`, done: i > 0 }))
    await server.call('PUT', '/db/Todo', rows, root)
    dashboard = await Dashboard.enter(parts.browser, server, { at: '#/data/Todo' })
    page = dashboard.page
    await page.getByText(`${TODOS} objects`).waitFor()
  })

  afterEach(async () => {
    dashboard.assertQuiet()
    await dashboard.close()
  })

  const stored = async () => (await server.call('GET', '/db/Todo', undefined, root)).body.map(({ id }) => id)

  const dialog = () => page.getByRole('dialog')

  /** Selects all objects, clicks delete, and leaves the confirmation open. */
  async function askToDelete(button) {
    await page.getByLabel('Select all').check()
    await dashboard.button(button).click()
  }

  test('table_isCompleteThoughEachAnswerHasAPart', async () => {
    await dashboard.cell(0, 1).focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.getByRole('gridcell', { name: `t${TODOS - 1}`, exact: true }).waitFor()
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 90 * 38))

    await page.getByRole('gridcell', { name: 't99', exact: true }).waitFor()
  })

  test('liveTable_isLimitedByTheServerAndReportsIt', async () => {
    await dashboard.button('Live').click()

    await page.getByText(`Live: the first ${WINDOW} objects`).waitFor()
    await server.call('DELETE', idOf(0), undefined, root)
    await page.getByRole('gridcell', { name: 't0', exact: true }).waitFor({ state: 'detached' })
  })

  test('liveTable_endedByTheServer_continuesAfterARetry', async () => {
    const { body: brief } = await server.call('GET', '/schema/Brief', undefined, root)
    await dashboard.goTo('#/data/Brief')
    await dashboard.button('Live').click()
    await page.getByText('Live: 0 objects').waitFor()
    await server.call('DELETE', '/schema/Brief', undefined, root)
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await server.call('POST', '/schema/Brief', brief, root)

    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('alert').waitFor({ state: 'detached' })
    await server.call('POST', '/db/Brief', { text: 'back' }, root)
    await page.getByText('Live: 1 object').waitFor()
    await page.getByRole('gridcell', { name: 'back', exact: true }).waitFor()
  })

  test('allThatMatch_deleted_areExactlyTheCountedOnes', async () => {
    await dashboard.goTo('#/data/Todo?q={"done":true}')
    await page.getByText(`${TODOS - 1} objects`).waitFor()
    await askToDelete('Delete all that match')
    await dashboard.heading(`Delete ${TODOS - 1} objects?`).waitFor()
    await page.route(
      '**/v1/db/Todo/bulk',
      async (route) => {
        await server.call('PUT', idOf(7000), { id: idOf(7000), text: 'new', done: true }, root)
        await server.call('PUT', idOf(TODOS - 1), { id: idOf(TODOS - 1), text: 'changed', done: true }, root)
        await route.continue()
      },
      ONCE,
    )
    await dashboard.button(`Delete ${TODOS - 1} objects`).click()

    await page.getByText(`Deleted ${TODOS - 2} objects. Others have changed or deleted 1`).waitFor()
    assert.deepEqual(await stored(), [idOf(0), idOf(TODOS - 1), idOf(7000)])
    await dashboard.button('Done').click()
    await page.getByText('2 objects', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0)
  })

  test('deletion_stopped_canBeContinued', async () => {
    await askToDelete('Delete all')
    let count = 0
    // the second request gets no answer
    await page.route('**/v1/db/Todo/bulk', (route) => ++count === 1 && route.continue())
    await dialog()
      .getByRole('button', { name: `Delete ${TODOS} objects` })
      .click()
    await dialog().getByText(`${RESULTS} objects`, { exact: true }).waitFor()
    await dashboard.button('Stop').click()
    await page.getByText(`Stopped: ${RESULTS} objects were deleted before.`).waitFor()
    assert.equal((await stored()).length, TODOS - RESULTS)
    await page.unroute('**/v1/db/Todo/bulk')

    await dialog()
      .getByRole('button', { name: `Delete ${TODOS - RESULTS} objects` })
      .click()

    await page.getByText(`Deleted ${TODOS - RESULTS} objects.`).waitFor()
    await dashboard.button('Done').click()
    await dashboard.heading('No objects yet').waitFor()
  })

  test('all_butOne_leavesThatOne', async () => {
    await page.getByLabel('Select all').focus()
    await page.keyboard.press('Space')
    await dashboard.cell(2, 1).focus()
    await page.keyboard.press('Space')
    await page.getByText(`${TODOS} objects, all but 1 selected`).waitFor()
    assert.equal(await page.getByLabel('Select all').evaluate((box) => box.indeterminate), true)

    await dashboard.button('Delete all but 1').click()
    await dashboard.button(`Delete ${TODOS - 1} objects`).click()
    await page.getByText(`Deleted ${TODOS - 1} objects.`).waitFor()

    assert.deepEqual(await stored(), [idOf(2)])
  })
})

/** Ids in the order of their numbers. */
function idOf(number) {
  return `/db/Todo/${String(number).padStart(4, '0')}`
}
