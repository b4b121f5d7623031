import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Dashboard, MODES } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

const MANY = 20_000

describe('dashboard, export and import', () => {
  let parts, server, browser, root

  before(async () => {
    parts = await ownedServer({
      Todo: { text: 'String', done: 'Boolean', n: 'Integer', next: 'Todo' },
      Many: { text: 'String', n: 'Integer' },
    })
    ;({ server, browser, root } = parts)
  })

  beforeEach(async () => {
    await server.call('DELETE', '/db/Todo', undefined, root)
    const tea = { id: '/db/Todo/tea', text: '=1+1', done: false, next: '/db/Todo/milk' }
    // a number that browsers cannot represent
    await server.call(
      'PUT',
      '/db/Todo',
      [
        { ...tea, n: 1 },
        { id: '/db/Todo/milk', text: 'oat, "milk"' },
      ],
      root,
    )
  })

  after(() => parts?.clear())

  /** Opens the dashboard as in browsers that cannot write files in parts. */
  const enter = async (options) => {
    const dashboard = await Dashboard.open(browser, server, options)
    await dashboard.page.addInitScript(() => {
      delete window.showSaveFilePicker
    })
    await dashboard.page.reload()
    await dashboard.logIn('root', 'correct horse battery')
    await dashboard.button('Log out').waitFor()
    return dashboard
  }

  async function exported(dashboard, format) {
    await dashboard.button('Export').first().click()
    await dashboard.page.getByLabel('Format').selectOption(format)
    const download = dashboard.page.waitForEvent('download')
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await dashboard.page.getByText(/^Exported/).waitFor()
    const file = await download
    await dashboard.button('Close').click()
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }

  async function choose(dashboard, name, text) {
    await dashboard.page
      .getByLabel('File')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  }

  /** Delays the batch of this number, from 1, until the returned function is called. */
  async function holdUpBatch(page, number) {
    let batches = 0
    let release
    const released = new Promise((resolve) => (release = resolve))
    await page.route('**/v1/db/Many', async (route) => {
      batches += 1
      if (batches === number) await released
      // a request that was cancelled meanwhile no longer exists
      await route.continue().catch(() => {})
    })
    return () => {
      release()
      return page.unroute('**/v1/db/Many')
    }
  }

  const all = async (bucket = 'Todo') => (await server.call('GET', `/db/${bucket}`, undefined, root)).body

  test('filter_exported_selectsTheObjectsUnlessAllAreChosen', async () => {
    const dashboard = await enter({ at: '#/data/Todo?q={"text":{"$regex":"^oat"}}' })
    const { text } = await exported(dashboard, 'json')
    const matching = (await all()).filter(({ text: title }) => title.startsWith('oat'))

    assert.deepEqual(JSON.parse(text), matching)
    assert.equal(matching.length, 1)
    await dashboard.button('Export').first().click()
    await dashboard.page.getByLabel('Only what matches the filter of the table').uncheck()
    const download = dashboard.page.waitForEvent('download')
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const whole = JSON.parse(await readFile(await (await download).path(), 'utf8'))
    assert.equal(whole.length, (await all()).length)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('class_exportedAndImported_isUnchanged', async () => {
    const dashboard = await enter({ at: '#/data/Todo' })
    const before = await all()
    for (const format of ['json', 'csv']) {
      const { name, text } = await exported(dashboard, format)
      assert.equal(name, `Todo.${format}`)
      if (format === 'csv') assert.match(text, /^\/db\/Todo\/tea,'=1\+1,false,1,\/db\/Todo\/milk,/m)
      await server.call('DELETE', '/db/Todo', undefined, root)
      await dashboard.button('Import').first().click()
      await choose(dashboard, name, text)
      await dashboard.page.getByRole('cell', { name: 'oat, "milk"' }).waitFor()
      await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
      await dashboard.page.getByText('Imported 2 objects.').waitFor()
      await dashboard.button('Close').click()
      await dashboard.page.getByText('2 objects', { exact: true }).waitFor()
    }

    const fields = ({ id, text, done, n, next }) => ({ id, text, done, n, next })
    assert.deepEqual((await all()).map(fields), before.map(fields))
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('file_chosenByTheUser_isWrittenInParts', async () => {
    const dashboard = await Dashboard.open(browser, server, { at: '#/data/Todo' })
    await dashboard.page.addInitScript(() => {
      window.written = ''
      window.showSaveFilePicker = async ({ suggestedName }) => ({
        createWritable: async () => ({
          write: async (text) => void (window.written += text),
          close: async () => void (window.savedAs = suggestedName),
        }),
      })
    })
    await dashboard.page.reload()
    await dashboard.logIn('root', 'correct horse battery')
    await dashboard.button('Export').click()
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await dashboard.page.getByText('Exported 2 objects.').waitFor()

    assert.equal(await dashboard.page.evaluate(() => window.savedAs), 'Todo.json')
    assert.equal(JSON.parse(await dashboard.page.evaluate(() => window.written)).length, 2)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('rows_invalid_areReportedAndTheOthersStored', async () => {
    const dashboard = await enter({ at: '#/data/Todo' })
    await dashboard.button('Import').click()
    await choose(dashboard, 'todo.txt', '')
    await dashboard.page.getByText('has to end with .json or .csv').waitFor()
    await choose(dashboard, 'todo.csv', 'text,colour,n\nrice,white,1\nsalt,,many\n')
    await dashboard.page.getByText('The class has no colour').waitFor()
    await dashboard.page.getByRole('cell', { name: 'n: many is not a whole number' }).waitFor()
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()

    await dashboard.page.getByText('Imported 1 object.').waitFor()
    await dashboard.page.getByText('Row 2: n: many is not a whole number').waitFor()
    assert.equal((await all()).filter(({ text }) => text === 'rice').length, 1)
    await choose(dashboard, 'todo.json', '[{"n":"text"},{"id":"/db/Other/x"},{"n":2}]')
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await dashboard.page.getByText(/^Row 1: /).waitFor()
    await dashboard.page.getByText(/^Row 2: /).waitFor()
    assert.equal((await all()).length, 4)
    await dashboard.close()
  })

  const runImport = (dashboard) =>
    dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()

  test('objects_existing_areReplacedSkippedOrRefused', async () => {
    const dashboard = await enter({ at: '#/data/Todo' })
    const { page } = dashboard
    const text = async (key) => (await all()).find(({ id }) => id === `/db/Todo/${key}`)?.text
    const file = JSON.stringify([
      { id: '/db/Todo/tea', text: 'theirs' },
      { id: '/db/Todo/rice', text: 'new' },
    ])
    await dashboard.button('Import').click()
    const existing = page.getByLabel('Objects whose id is there already')
    await existing.selectOption('leave')
    await choose(dashboard, 'todo.json', file)
    await runImport(dashboard)
    await page.getByText('Imported 1 object. 1 were there already, and stay as they are.').waitFor()
    assert.deepEqual([await text('tea'), await text('rice')], ['=1+1', 'new'])

    await existing.selectOption('refuse')
    await runImport(dashboard)
    await page.getByText('Imported 0 objects.').waitFor()
    await page.getByText('Row 1: There is /db/Todo/tea already').waitFor()

    await existing.selectOption('replace')
    await runImport(dashboard)
    await page.getByText('Imported 2 objects.').waitFor()
    assert.equal(await text('tea'), 'theirs')
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('fileWithoutIds_importedAgainAfterAnAbort_createsNoDuplicates', async () => {
    const dashboard = await enter({ at: '#/data/Todo' })
    await dashboard.button('Import').click()
    await choose(dashboard, 'todo.csv', 'text;n\nsalt, fine;1\npepper;2\n')
    await dashboard.page.getByRole('cell', { name: 'salt, fine' }).waitFor()
    // stored, but the answer is lost
    await dashboard.page.route('**/v1/db/Todo', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await runImport(dashboard)
    await dashboard.page.getByText('The server does not answer').waitFor()
    await dashboard.page.unroute('**/v1/db/Todo')

    await runImport(dashboard)

    await dashboard.page.getByText('Imported 0 objects. 2 were there already').waitFor()
    assert.equal((await all()).length, 4)
    assert.equal((await all()).filter(({ text }) => text === 'salt, fine').length, 1)
    dashboard.expectComplaints(/ERR_FAILED/)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('values_separatedByTabs_areReadOnceChosen', async () => {
    const dashboard = await enter({ at: '#/data/Todo' })
    await dashboard.button('Import').click()
    await choose(dashboard, 'todo.csv', 'text\tn\nrice, white\t1\n')
    const between = dashboard.page.getByLabel('Between values')
    await between.getByRole('option', { name: 'as the first row has it: tab' }).waitFor({ state: 'attached' })

    await between.selectOption('comma')
    await dashboard.page.getByText('The first row has to name columns, with a comma between them').waitFor()
    await between.selectOption('tab')
    await dashboard.page.getByRole('cell', { name: 'rice, white' }).waitFor()
    await runImport(dashboard)

    await dashboard.page.getByText('Imported 1 object.').waitFor()
    dashboard.assertQuiet()
    await dashboard.close()
  })

  test('manyObjects_importedAndExported_canBeCancelled', { timeout: 280_000 }, async () => {
    const dashboard = await enter({ at: '#/data/Many' })
    const rows = Array.from({ length: MANY }, (_, i) => ({
      id: `/db/Many/${i}`,
      text: 'x'.repeat(200),
      n: i,
    }))
    await dashboard.button('Import').click()
    await choose(dashboard, 'many.json', JSON.stringify(rows))
    // so that it has not ended before it is cancelled
    const release = await holdUpBatch(dashboard.page, 3)
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await dashboard.page.getByText(/^[1-9][\d,]*00 objects$/).waitFor()
    await dashboard.page.keyboard.press('Escape')
    await release()
    await dashboard.page.getByText(/^Stopped: .* were imported before, and stay.$/).waitFor()
    const before = (await server.call('GET', '/db/Many/count', undefined, root)).body.count
    assert.ok(before > 0 && before < MANY, `${before}`)
    await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
    await dashboard.page
      .getByText(`Imported ${MANY.toLocaleString('en')} objects.`)
      .waitFor({ timeout: 120_000 })
    await dashboard.button('Close').click()

    const { text } = await exported(dashboard, 'csv')
    assert.equal(text.trimEnd().split('\r\n').length, MANY + 1)
    dashboard.assertQuiet()
    await dashboard.close()
  })

  for (const mode of Object.keys(MODES)) {
    test(`dialogs_${mode}_areUsableByEverybody`, async () => {
      const dashboard = await enter({ mode, at: '#/data/Todo' })
      await dashboard.button('Export').click()
      await dashboard.page.getByLabel('Format').selectOption('csv')
      await dashboard.assertAccessible('export')
      await dashboard.button('Close').click()
      await dashboard.button('Import').click()
      await dashboard.assertAccessible('import')
      await choose(dashboard, 'todo.csv', 'text,colour,n\nrice,white,1\nsalt,,many\n')
      await dashboard.page.getByRole('cell', { name: 'rice' }).waitFor()
      await dashboard.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
      await dashboard.page.getByText(/^Row 2/).waitFor()
      await dashboard.assertAccessible('imported')
      const width = await dashboard.page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= MODES[mode].viewport.width)
      dashboard.assertQuiet()
      await dashboard.close()
    })
  }
})
