import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Dashboard } from '../../src/dashboard.js'
import { ownedServer } from '../../src/owned.js'

describe('dashboard, schema', () => {
  let parts, server, browser, dashboard, page

  before(async () => {
    parts = await ownedServer()
    ;({ server, browser } = parts)
    dashboard = await Dashboard.enter(browser, server, { at: '#/schema' })
    page = dashboard.page
  })

  after(() => parts?.clear())

  test('class_createdByHand_acceptsObjectsAndIsDropped', async () => {
    await dashboard.button('New class').click()
    await page.getByLabel('Name').fill('Book')
    await dashboard.button('Create class').click()
    await dashboard.heading('Book').waitFor()
    for (const [name, kind] of [
      ['title', 'String'],
      ['pages', 'Integer'],
      ['sequel', 'Book'],
    ]) {
      await page.getByLabel('New field').fill(name)
      await page.getByLabel('Type').selectOption({ label: kind })
      await dashboard.button('Add field').click()
      await page.getByRole('row', { name: `${name} ${kind}` }).waitFor()
    }
    await page.getByLabel('Index on').selectOption('pages')
    await dashboard.button('Add index').click()
    await page.getByText('pages asc, id asc', { exact: true }).waitFor()
    await page.getByText('insert').waitFor()

    const { body } = await server.call('GET', '/schema/Book')
    const types = Object.values(body.fields).map((field) => field.type)
    assert.deepEqual(types, ['/db/String', '/db/Integer', '/db/Book'])
    await page.getByRole('link', { name: 'Show objects' }).click()
    await dashboard.heading('No objects yet').waitFor()
    await dashboard.goTo('#/schema/Book')
    await dashboard.button('Drop index pages asc, id asc').click()
    await dashboard.button('Cancel').click()
    await page.getByText('pages asc, id asc', { exact: true }).waitFor()
    await dashboard.button('Drop index pages asc, id asc').click()
    await dashboard.button('Drop index').click()
    await dashboard.untilNoDialog()
    await page.getByText('pages asc, id asc', { exact: true }).waitFor({ state: 'detached' })
    await dashboard.button('Drop class').click()
    await dashboard.button('Drop class and objects').click()
    await dashboard.heading('Schema').waitFor()
    await page.getByRole('link', { name: 'Book' }).first().waitFor({ state: 'detached' })

    assert.equal((await server.call('GET', '/schema/Book')).status, 461)
    dashboard.assertQuiet()
  })

  test('class_createdByOthers_isShownAfterARefresh', async () => {
    await dashboard.goTo('#/schema/Late')
    await dashboard.heading('No such class').waitFor()
    const fields = { name: { name: 'name', type: '/db/String' } }
    await server.call('POST', '/schema/Late', { class: '/db/Late', fields }, parts.root)

    await dashboard.button('Refresh').click()

    await page.getByRole('row', { name: 'name String' }).waitFor()
    fields.more = { name: 'more', type: '/db/Integer' }
    await server.call('POST', '/schema/Late', { class: '/db/Late', fields }, parts.root)
    await page.getByRole('link', { name: 'Show objects' }).click()
    await dashboard.button('Refresh').click()
    await dashboard.button('New object').click()
    await page.getByLabel('more').waitFor()
    await page.keyboard.press('Escape')
  })

  test('class_withANameInUse_isRefused', async () => {
    await dashboard.goTo('#/schema')
    await dashboard.button('New class').click()
    await page.getByLabel('Name').fill('User')
    await dashboard.button('Create class').click()

    await page.getByText('There is a class called User already.').waitFor()
    await page.keyboard.press('Escape')
    await dashboard.untilNoDialog()
  })

  describe('a class with objects', () => {
    const FIELDS = {
      title: { name: 'title', type: '/db/String' },
      pages: { name: 'pages', type: '/db/Double' },
      note: { name: 'note', type: '/db/String' },
    }

    beforeEach(async () => {
      await server.call('DELETE', '/schema/Novel', undefined, parts.root)
      await server.call('POST', '/schema/Novel', { class: '/db/Novel', fields: FIELDS }, parts.root)
      const novels = [
        { id: '/db/Novel/whole', title: 'Emma', pages: 474, note: 'lent' },
        { id: '/db/Novel/half', title: 'Persuasion', pages: 249.5 },
      ]
      await server.call('PUT', '/db/Novel', novels, parts.root)
      await dashboard.goTo('#/schema/Novel')
      await page.reload()
      await dashboard.heading('Novel').waitFor()
    })

    const typeOf = async (field) => (await server.call('GET', '/schema/Novel')).body.fields[field]

    test('field_renamed_retainsItsValues', async () => {
      await dashboard.button('Rename note').click()
      await page.getByText('Nothing is different yet.').waitFor()
      await page.getByLabel('New name').fill('title')
      await dashboard.button('Rename field').click()
      await page.getByRole('alert').filter({ hasText: 'has the field title already' }).waitFor()
      await page.getByLabel('New name').fill('remark')
      await page.getByText('1 stored value is moved to remark.').waitFor()
      await page.getByText('For other servers').click()
      await dashboard.button('Save 0001-rename-note-of-novel.json').waitFor()
      await dashboard.assertAccessible('renaming')
      await dashboard.button('Rename field').click()
      await page.getByRole('row', { name: 'remark String' }).waitFor()

      const { body } = await server.call('GET', '/db/Novel/whole')
      assert.equal(body.remark, 'lent')
      dashboard.expectComplaints(/469/)
    })

    test('field_ofAnotherTypeThatValuesDoNotFit_isRefusedUntilTheyMayBeLost', async () => {
      await dashboard.button('Change pages').click()
      await page.getByRole('dialog').getByLabel('Type').selectOption({ label: 'Integer' })
      await page.getByText('2 stored values are converted if all fit the new type.').waitFor()
      await dashboard.button('Change field').click()
      await page.getByText('These do not fit').waitFor()
      await page.getByRole('link', { name: 'half' }).waitFor()
      assert.equal((await typeOf('pages')).type, '/db/Double')
      await page.getByLabel('Convert what fits, and lose what does not').check()
      await page.getByLabel('Smallest').fill('1')
      await dashboard.button('Change field').click()
      await page.getByRole('row', { name: 'pages Integer min 1' }).waitFor()

      assert.equal((await server.call('GET', '/db/Novel/half')).body.pages, 249)
      assert.deepEqual((await typeOf('pages')).metadata, { 'orestes.min': '1' })
      dashboard.expectComplaints(/469/)
    })

    test('migrationFile_saved_hasEqualEffectElsewhere', async () => {
      await dashboard.button('Remove note').click()
      await page.getByText('1 stored value is deleted for good.').waitFor()
      await page.getByText('For other servers').click()
      await page.evaluate(() => delete window.showSaveFilePicker)
      const download = page.waitForEvent('download')
      await dashboard.button('Save 0001-remove-note-of-novel.json').click()
      const file = JSON.parse(await readFile(await (await download).path(), 'utf8'))
      assert.deepEqual(file, { changes: [{ operation: 'removeField', bucket: '/db/Novel', name: 'note' }] })
      await dashboard.button('Cancel').click()

      const migration = { operation: 'migrate', name: '0001-remove-note-of-novel', ...file }
      assert.equal((await server.call('POST', '/schema', migration, parts.root)).status, 200)
      await dashboard.button('Refresh').click()
      await page.getByRole('row', { name: 'note String' }).waitFor({ state: 'detached' })
    })

    test('field_removed_isAbsentWithItsValues', async () => {
      await dashboard.button('Remove title').click()
      await dashboard.button('Remove field and values').click()
      await dashboard.button('Rename title').waitFor({ state: 'detached' })

      assert.equal(await typeOf('title'), undefined)
    })

    const indexesOf = async () => (await server.call('GET', '/index/Novel')).body.slice(1)

    test('index_onSeveralFieldsInOrders_isCreatedAsChosen', async () => {
      await page.getByLabel('Index on').selectOption('pages')
      await page.getByRole('combobox', { name: /^Order(?! of)/ }).selectOption('desc')
      await dashboard.button('And on another field').click()
      await page.getByRole('combobox', { name: /^Field 2/ }).selectOption('title')
      await dashboard.button('And on another field').click()
      await dashboard.button('Leave out field 3').click()
      await dashboard.button('Add index').click()
      await page.getByText(/^pages desc, title asc/).waitFor()

      assert.deepEqual((await indexesOf())[0].keys.slice(0, 2), [{ pages: 'desc' }, { title: 'asc' }])
    })

    test('index_onWords_isCreatedAndDropped', async () => {
      await page.getByLabel('Words of all texts, for $text').check()
      await dashboard.button('Add index').click()
      await page.getByText('$** text', { exact: true }).waitFor()
      assert.deepEqual((await indexesOf())[0].keys, [{ '$**': 'text' }])
      await dashboard.button('Drop index $** text').click()
      await page.getByText('Searches for words read the whole class').waitFor()
      await dashboard.assertAccessible('dropping an index')
      await dashboard.button('Drop index').click()
      await dashboard.untilNoDialog()
      await page.getByText('$** text', { exact: true }).waitFor({ state: 'detached' })

      assert.deepEqual(await indexesOf(), [])
    })

    test('index_unique_isCreatedOnceConfirmedAndWithoutDuplicates', async () => {
      await server.call('POST', '/db/Novel', { title: 'Emma' }, parts.root)
      await page.getByLabel('Index on').selectOption('title')
      await page.getByLabel('Unique').check()
      await dashboard.button('Add index').click()
      await page.getByText('If two have the same values, it is not made.').waitFor()
      assert.deepEqual(await indexesOf(), [])
      await dashboard.button('Add unique index').click()
      await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).waitFor()
      await server.call('DELETE', '/db/Novel', undefined, parts.root)
      await dashboard.button('Add unique index').click()
      await dashboard.untilNoDialog()

      assert.equal((await indexesOf())[0].unique, true)
      dashboard.expectComplaints(/409/)
    })

    test('index_beingFilled_showsItsProgress', async () => {
      let building = 0.25
      await page.route('**/v1/index/Novel', async (route) => {
        if (building === 1) return route.continue()
        await route.fulfill({ json: [{ keys: [{ pages: 'asc' }, { id: 'asc' }], building }] })
      })
      await page.reload()
      await page.getByText('25 % built').waitFor()
      assert.equal(await page.getByRole('progressbar').getAttribute('value'), '0.25')
      building = 0.75
      await page.getByText('75 % built').waitFor()
      building = 1

      await page.getByRole('progressbar').waitFor({ state: 'detached' })
      await page.getByText('id asc', { exact: true }).waitFor()
      await page.unroute('**/v1/index/Novel')
    })

    test('class_withSubclasses_isShownWithThemAndIsNotDropped', async () => {
      await dashboard.goTo('#/schema')
      await dashboard.button('New class').click()
      await page.getByLabel('Name').fill('Thriller')
      await page.getByLabel('Extends').selectOption('Novel')
      await dashboard.button('Create class').click()
      await dashboard.heading('Thriller').waitFor()
      await page
        .getByRole('list', { name: 'Relations of Thriller' })
        .getByRole('link', { name: 'Novel' })
        .click()
      await dashboard.heading('Novel').waitFor()
      await page.getByRole('list', { name: 'Relations of Novel' }).getByText('extended by').waitFor()
      await dashboard.button('Drop class').click()
      await page.getByText('as long as these need the class: Thriller.').waitFor()
      await page.getByRole('row', { name: 'objects 2 0' }).waitFor()
      await page.getByText('For other servers').click()
      await dashboard.button('Save 0001-remove-novel.json').waitFor()
      await dashboard.assertAccessible('dropping a class')
      await dashboard.button('Drop class and objects').click()
      await page
        .getByRole('dialog')
        .getByRole('alert')
        .filter({ hasText: /Thriller/ })
        .waitFor()
      await dashboard.button('Cancel').click()

      assert.equal((await server.call('GET', '/schema/Thriller')).body.superClass, '/db/Novel')
      assert.equal((await server.call('DELETE', '/schema/Thriller', undefined, parts.root)).status, 204)
      dashboard.found.length = 0
    })

    test('class_embedded_isCreatedAsPartOfOthers', async () => {
      await dashboard.goTo('#/schema')
      await dashboard.button('New class').click()
      await page.getByLabel('Name').fill('Cover')
      await page.getByLabel('Embedded').check()
      await dashboard.button('Create class').click()
      await dashboard.heading('Cover').waitFor()

      assert.equal((await server.call('GET', '/schema/Cover')).body.embedded, true)
      assert.equal(await page.getByRole('link', { name: 'Show objects' }).count(), 0)
    })

    test('permissions_changedForSeveralOperations_applyToAnonymousCallers', async () => {
      assert.equal((await server.call('GET', '/db/Novel/whole')).status, 200)
      await dashboard.button('Change who may load one').click()
      await page.getByText('Everybody may, as nobody is named').waitFor()
      await page.getByLabel('User or role').fill('logged')
      await dashboard.button('loggedin may').click()
      await page.getByLabel('query', { exact: true }).check()
      await page.getByRole('row', { name: 'who may query everybody loggedin' }).waitFor()
      await page.getByText('Shared caches forget the objects').waitFor()
      await dashboard.assertAccessible('permissions')
      await dashboard.button('Change permissions').click()
      await dashboard.untilNoDialog()

      const { acl } = (await server.call('GET', '/schema/Novel')).body
      assert.deepEqual(acl.load, { '/db/Role/3': 'allow' })
      assert.deepEqual(acl.query, acl.load)
      assert.equal((await server.call('GET', '/db/Novel/whole')).status, 466)
      await dashboard.button('Change who may load one').click()
      await dashboard.button('Remove the rule for loggedin').click()
      await page.getByText('Everybody may load one, also who is not logged in.').waitFor()
      await page.keyboard.press('Escape')
      await dashboard.untilNoDialog()
      dashboard.assertQuiet()
    })

    test('fieldsOfTheServer_cannotBeChanged', async () => {
      await dashboard.goTo('#/schema/User')
      await page.getByRole('row', { name: 'username String' }).waitFor()

      assert.equal(await dashboard.button('Rename username').count(), 0)
      assert.equal(await dashboard.button('Remove inactive').count(), 0)
    })
  })
})
