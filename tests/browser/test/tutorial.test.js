import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { complaints, launch } from '../src/browser.js'
import { CountingProxy } from '../src/countingProxy.js'
import { Server, dataFolder } from '../src/server.js'
import { saveBlock, savePage } from '../src/walkthrough.js'

const README = 'js-sdk/README.md'

describe('the tutorial of the SDK', () => {
  let data, folder, server, api, browser

  before(async () => {
    data = await dataFolder()
    folder = await dataFolder()
    server = await Server.start(data.path, { flags: ['--root-password', 'secret'] })
    api = await CountingProxy.start(server.base)
    browser = await launch()
  })

  after(async () => {
    await browser?.close()
    await api?.close()
    await server?.stop()
    await folder?.remove()
    await data?.remove()
  })

  /** Runs a program in the tutorial's folder, without a registry. */
  async function run(program, ...parameters) {
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
    const { stdout } = await promisify(execFile)(program, parameters, { cwd: folder.path, env })
    return stdout
  }

  /** Opens or loads a page, and resolves when its live query has its first result. */
  async function loaded(page, go) {
    const socket = page.waitForEvent('websocket')
    await go()
    await (await socket).waitForEvent('framereceived')
    return { said: await page.locator('p').textContent(), cost: api.take() }
  }

  test('steps_asWritten_leadToALivePageWhoseSecondLoadCostsNoRequest', async () => {
    await run('npm', 'install', '--no-audit', '--no-fund', `${server.base}/sdk/orestes-sdk.tgz`)
    await saveBlock('js', join(folder.path, 'seed.mjs'), server.base, README)
    const seeded = await run('node', 'seed.mjs')
    await run('npx', 'orestes', 'types', server.base, 'db.d.ts')
    const url = await savePage(folder.path, new URL(api.api).origin, README)
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    const [first, second] = [await context.newPage(), await context.newPage()]
    const found = [complaints(first), complaints(second)]

    const opened = await loaded(first, () => first.goto(url))
    const again = [await loaded(second, () => second.goto(url)), await loaded(first, () => first.reload())]
    await first.getByRole('button', { name: 'Call Ann' }).click()
    for (const page of [first, second]) {
      await page.getByRole('button', { name: 'Call Ann' }).waitFor({ state: 'detached' })
    }
    const afterWrite = await loaded(second, () => second.reload())

    assert.equal(seeded, '3 objects\n')
    assert.equal(opened.said, 'server: 3 to do')
    assert.deepEqual(again, [
      { said: 'local: 3 to do', cost: [] },
      { said: 'local: 3 to do', cost: [] },
    ])
    assert.match(afterWrite.said, /^(server|shared): 2 to do$/)
    assert.ok(afterWrite.cost.includes('GET /connect 200'))
    assert.deepEqual(found, [[], []])
  })
})
