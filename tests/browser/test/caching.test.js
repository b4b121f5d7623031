import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { launchWithProfile, watchReads } from '../src/browser.js'
import { dataFolder } from '../src/server.js'
import { Stage } from '../src/stage.js'
import { queryKey } from '../../../js-sdk/dist/index.js'

/**
Objects and queries of one test, which no filter contains yet: `queries[g]` finds `objects[i]` with
i modulo 4 = g.
*/
function resources(run) {
  const objects = Array.from({ length: 20 }, (_, i) => `/db/Item/${run}-${i}`)
  const queries = [0, 1, 2, 3].map((g) => queryKey('Item', { q: { group: 4 * run + g }, sort: { name: 1 } }))
  const other = `/db/Other/${run}`
  return { objects, queries, other, everything: [...objects, ...queries, other] }
}

const FILTER = /^GET \/bloomfilter (200|304)$/

/** Ways in which the browser stores its HTTP cache. */
const KINDS = {
  memory: async (profile, browser) => browser.newContext(),
  disk: async (profile) => launchWithProfile(profile.path),
}

for (const [kind, openContext] of Object.entries(KINDS)) {
  describe(`coherence with the cache of the browser in its ${kind}`, () => {
    let stage, api, profile, context, page
    let run = 0
    let objects, queries, other, everything

    before(async () => {
      stage = await Stage.set('Item', 'Other')
      api = stage.api
    })

    after(() => stage?.clear())

    beforeEach(async () => {
      ;({ objects, queries, other, everything } = resources(++run))
      await write(other, { name: 'other' })
      await Promise.all(objects.map((id, i) => write(id, { name: `item ${i}`, group: group(i % 4) })))
      profile = await dataFolder()
      context = await openContext(profile, stage.browser)
      context.setDefaultTimeout(60_000)
      api.take()
      page = await open()
    })

    afterEach(async () => {
      await context.close()
      await profile.remove()
    })

    function group(g) {
      return 4 * run + g
    }

    function write(id, body) {
      return stage.write(id, body)
    }

    /**
    Opens a tab with the application, which has loaded the filter; the test controls the clock of
    its scripts.
    */
    async function open(settings = '') {
      const tab = await context.newPage()
      await tab.clock.install()
      await tab.goto(`${stage.site.base}/?api=${encodeURIComponent(api.api)}${settings}`)
      await untilReady(tab)
      return tab
    }

    async function untilReady(tab) {
      await tab.waitForFunction(() => window.ready)
      const asked = api.take()
      assert.equal(asked.length, 1, String(asked))
      assert.match(asked[0], FILTER)
    }

    function load(tab, keys = everything) {
      return tab.evaluate(async (all) => Promise.all(all.map((key) => window.load(key))), keys)
    }

    async function fill(tab) {
      await load(tab)
      assert.deepEqual(api.take(), everything.map((key) => `GET ${key} 200`).sort())
    }

    async function reloadFilter(tab) {
      await tab.evaluate(() => window.guard.reload())
      assert.match(api.take().join(), FILTER)
    }

    /**
    Waits until the browser has reported this number of reads, which it does apart from the answers
    to its pages.
    */
    async function untilTold(reads, count) {
      const deadline = Date.now() + 40_000
      while (reads.length < count) {
        assert.ok(Date.now() < deadline, `${reads.length} reads instead of ${count}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }

    /** Waits for a reload in the background. */
    function untilFilter(tab) {
      return tab.waitForFunction(() => window.guard.filterAgeSeconds < 60)
    }

    test('reads_ofFreshCopies_sendNothing', async () => {
      await fill(page)
      const reads = await watchReads(page, api.api)

      await load(page)
      await load(page)

      await untilTold(reads, 2 * everything.length)
      assert.deepEqual(api.take(), [])
      assert.equal(reads.length, 2 * everything.length)
      assert.deepEqual(
        reads.filter(({ isNetwork }) => isNetwork),
        [],
      )
    })

    test('reads_afterWritesOfOthers_revalidateExactlyWhatIsStale', async () => {
      await fill(page)
      await write(objects[1], { name: 'changed', group: group(1) })
      await write(objects[6], { name: 'moved', group: group(3) })
      await reloadFilter(page)
      const reads = await watchReads(page, api.api)

      const loaded = await load(page)

      await untilTold(reads, everything.length)
      const stale = [objects[1], objects[6], queries[1], queries[2], queries[3]]
      assert.deepEqual(api.take(), stale.map((key) => `GET ${key} 200`).sort())
      assert.deepEqual(
        reads
          .filter(({ isNetwork }) => isNetwork)
          .map(({ key }) => key)
          .sort(),
        stale.toSorted(),
      )
      assert.deepEqual([loaded[1].name, loaded[6].name], ['changed', 'moved'])
      assert.ok(loaded[23].some(({ name }) => name === 'moved'))
      assert.ok(loaded[22].every(({ id }) => id !== objects[6]))
      await load(page, [...objects, queries[0], other])
      assert.deepEqual(api.take(), [])
    })

    test('read_ofAStaleKeyThatChangedBack_isConfirmedWithoutABody', async () => {
      await fill(page)
      await write(objects[4], { name: 'item 4', group: group(1) })
      await write(objects[4], { name: 'item 4', group: group(0) })
      await reloadFilter(page)

      await load(page, [queries[1]])

      assert.deepEqual(api.take(), [`GET ${queries[1]} 304`])
    })

    test('read_withinTheBound_maySeeTheOldState_andBeyondItNever', async () => {
      await fill(page)
      await write(objects[0], { name: 'new', group: group(0) })

      await page.clock.fastForward(30_000)
      const [old] = await load(page, [objects[0]])
      const asked = api.take()
      await page.clock.fastForward(31_000)
      const [fresh] = await load(page, [objects[0]])

      assert.equal(old.name, 'item 0')
      assert.deepEqual(asked, [])
      assert.equal(fresh.name, 'new')
      await untilFilter(page)
      const [filter, ...reads] = api.take()
      assert.match(filter, FILTER)
      assert.deepEqual(reads, [`GET ${objects[0]} 200`])
    })

    test('write_ofThisPage_isVisibleAtOnceInObjectAndQueries', async () => {
      await fill(page)

      const status = await page.evaluate(
        ([id, body]) => window.write(id, body),
        [objects[2], { name: 'mine', group: group(2) }],
      )
      api.take()
      const loaded = await load(page)

      assert.equal(status, 200)
      assert.equal(loaded[2].name, 'mine')
      assert.ok(loaded[22].some(({ name }) => name === 'mine'))
      const untouched = queries.filter((key) => key !== queries[2]).map((key) => `GET ${key} 304`)
      assert.deepEqual(api.take(), [`GET ${objects[2]} 200`, `GET ${queries[2]} 200`, ...untouched].sort())
      await load(page, [...objects, queries[0], queries[1], queries[3], other])
      assert.deepEqual(api.take(), [])
    })

    test('reload_ofThePage_requestsOnlyTheFilter', async () => {
      await fill(page)

      await page.reload()
      await untilReady(page)
      await load(page)

      assert.deepEqual(api.take(), [])
    })

    test('reload_afterAWriteOfOthers_revalidatesWhatIsStale', async () => {
      await fill(page)
      await write(objects[5], { name: 'changed', group: group(1) })

      await page.reload()
      await untilReady(page)
      const loaded = await load(page)

      assert.equal(loaded[5].name, 'changed')
      assert.deepEqual(api.take(), [`GET ${objects[5]} 200`, `GET ${queries[1]} 200`].sort())
    })

    test('tabs_shareTheCache_andWhatOneOfThemRevalidated', async () => {
      await fill(page)
      const second = await open()
      await load(second)
      assert.deepEqual(api.take(), [])

      await write(objects[3], { name: 'changed', group: group(3) })
      await reloadFilter(page)
      await load(page, [objects[3]])
      api.take()
      const [seen] = await load(second, [objects[3]])

      assert.equal(seen.name, 'changed')
      assert.deepEqual(api.take(), [])
    })

    test('tab_whoseWriteIsSeenByAnother_withinItsBound', async () => {
      await fill(page)
      const second = await open()
      await load(second)
      await page.evaluate(
        ([id, body]) => window.write(id, body),
        [objects[7], { name: 'mine', group: group(3) }],
      )
      api.take()

      await second.clock.fastForward(61_000)
      const [object, result] = await load(second, [objects[7], queries[3]])

      assert.equal(object.name, 'mine')
      assert.ok(result.some(({ name }) => name === 'mine'))
    })

    test('back_toACachedPage_continuesWithItsFilter', async () => {
      await fill(page)
      await page.evaluate((keys) => {
        window.onReturn = async () => {
          const before = await Promise.all(keys.map(load))
          await guard.reload()
          return { before, after: await Promise.all(keys.map(load)) }
        }
      }, everything)
      await page.goto(`${stage.site.base}/elsewhere`)
      await write(objects[8], { name: 'meanwhile', group: group(0) })

      const report = stage.site.nextReport()
      await page.evaluate(() => setTimeout(() => history.back()))
      const { before, after } = await report

      assert.equal(before[8].name, 'item 8')
      assert.equal(after[8].name, 'meanwhile')
      const [filter, ...reads] = api.take()
      assert.match(filter, FILTER)
      assert.deepEqual(reads, [`GET ${objects[8]} 200`, `GET ${queries[0]} 200`].sort())
    })

    test('read_withCachesNearby_sendsAPreflight', async () => {
      await fill(page)
      const near = await open('&nearby')
      const [object, untouched] = objects

      await write(object, { name: 'changed', group: group(0) })
      await reloadFilter(near)
      await near.clock.fastForward(10_000)
      const [seen] = await load(near, [object, untouched])

      assert.equal(seen.name, 'changed')
      assert.deepEqual(api.take(), [`GET ${object} 200`, `OPTIONS ${object} 204`])
    })

    test('browser_needsNoServiceWorker', async () => {
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null)
      assert.deepEqual(await page.evaluate(() => navigator.serviceWorker.getRegistrations()), [])
    })

    if (kind === 'disk') {
      test('browser_startedAgain_requestsOnlyTheFilter', async () => {
        await fill(page)
        await context.close()

        context = await openContext(profile, stage.browser)
        context.setDefaultTimeout(60_000)
        const again = await open()
        await load(again)

        assert.deepEqual(api.take(), [])
      })
    }
  })
}
