import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { Server, dataFolder } from '../src/server.js'

describe('pages', () => {
  let data, server

  before(async () => {
    data = await dataFolder()
    server = await Server.start(data.path)
  })

  after(async () => {
    await server?.stop()
    await data?.remove()
  })

  function get(path, headers) {
    return fetch(server.base + path, { headers, redirect: 'manual' })
  }

  test('root_withDemo_leadsToTheDemo', async () => {
    const root = await get('/')
    const folder = await get('/demo')

    assert.deepEqual([root.status, root.headers.get('location')], [302, '/demo/'])
    assert.deepEqual([folder.status, folder.headers.get('location')], [302, '/demo/'])
  })

  test('page_requested_forbidsForeignContent', async () => {
    for (const path of ['/demo/', '/dashboard/']) {
      const { status, headers } = await get(path)

      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/html;charset=utf-8')
      assert.match(headers.get('content-security-policy'), /^default-src 'none';/)
      assert.doesNotMatch(headers.get('content-security-policy'), /unsafe|http|\*/)
    }
  })

  test('page_requestedByHead_isAnsweredWithoutABody', async () => {
    for (const [path, status] of Object.entries({ '/': 302, '/demo/': 200, '/demo/none.js': 404 })) {
      const answer = await fetch(server.base + path, { method: 'HEAD', redirect: 'manual' })

      assert.deepEqual([answer.status, await answer.text()], [status, ''], path)
    }
  })

  test('file_known_isNotSentAgain', async () => {
    const first = await get('/demo/demo.js')

    const second = await get('/demo/demo.js', { 'If-None-Match': first.headers.get('etag') })

    assert.equal(first.headers.get('content-type'), 'text/javascript;charset=utf-8')
    assert.equal(second.status, 304)
    assert.equal(await second.text(), '')
  })

  test('file_notOfThePages_isNotServed', async () => {
    for (const path of [
      '/demo/none.js',
      '/demo/.hidden',
      '/demo/..%2fconnect/page.html',
      '/demo//index.html',
      '/demos',
      '/dashboard/assets',
      '/dashboard/assets/',
    ]) {
      assert.equal((await get(path)).status, 404, path)
    }
  })

  /** Returns a file of the dashboard's build. */
  async function asset() {
    return /\/dashboard\/assets\/[^"]+\.js/.exec(await (await get('/dashboard/')).text())[0]
  }

  test('file_requestedInBothCodings_isEqualWithATagForEach', async () => {
    for (const path of ['/dashboard/', '/demo/demo.js', '/dashboard/icon.svg', await asset()]) {
      const codings = ['identity', 'gzip']
      const [plain, zipped] = await Promise.all(
        codings.map((coding) => get(path, { 'Accept-Encoding': coding })),
      )
      const text = await plain.text()

      assert.equal(await zipped.text(), text, path)
      assert.equal(plain.headers.get('content-encoding'), null)
      assert.equal(zipped.headers.get('content-encoding'), 'gzip')
      assert.equal(Number(plain.headers.get('content-length')), Buffer.byteLength(text))
      assert.ok(Number(zipped.headers.get('content-length')) < Buffer.byteLength(text))
      const tags = [plain, zipped].map(({ headers }) => headers.get('etag'))
      tags.forEach((tag) => assert.match(tag, /^"\w+"$/))
      for (const { headers } of [plain, zipped]) {
        assert.equal(headers.get('vary'), 'origin, accept-encoding')
      }
      for (const [i, coding] of codings.entries()) {
        for (const [j, tag] of tags.entries()) {
          const answer = await get(path, { 'Accept-Encoding': coding, 'If-None-Match': tag })
          assert.equal(answer.status, i === j ? 304 : 200, `${path} ${coding} ${tag}`)
          assert.equal(answer.headers.get('etag'), tags[i])
          assert.equal(answer.headers.get('vary'), 'origin, accept-encoding')
          assert.equal((await answer.text()) === '', i === j)
        }
        const both = await get(path, {
          'Accept-Encoding': coding,
          'If-None-Match': `W/${tags[0]}, ${tags[1]}`,
        })
        assert.deepEqual([both.status, both.headers.get('etag')], [304, tags[i]])
      }
    }
  })

  test('file_requestedByHead_hasItsLengthInThatCoding', async () => {
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'Accept-Encoding': coding }
      const whole = await get('/demo/demo.js', headers)
      const head = await fetch(`${server.base}/demo/demo.js`, { method: 'HEAD', headers })

      for (const name of ['content-length', 'content-encoding', 'etag', 'vary']) {
        assert.equal(head.headers.get(name), whole.headers.get(name), name)
      }
    }
  })

  test('file_requestedWithWeights_isCompressedIfAccepted', async () => {
    for (const [accepted, coding] of Object.entries({
      gzip: 'gzip',
      'x-gzip': 'gzip',
      'deflate, GZIP ; q=0.1, br': 'gzip',
      '*': 'gzip',
      'gzip, *;q=0': 'gzip',
      'gzip;q=0': null,
      'gzip; q=0.000, *': null,
      '*;q=0': null,
      'br, notgzip': null,
      '': null,
    })) {
      for (const path of ['/demo/demo.js', '/dashboard/']) {
        const { headers } = await get(path, { 'Accept-Encoding': accepted })

        assert.equal(headers.get('content-encoding'), coding, accepted)
      }
    }
  })

  test('file_withAHashInItsName_isCachedForEver', async () => {
    for (const [path, caching] of Object.entries({
      [await asset()]: 'public, max-age=31536000, immutable',
      '/dashboard/': 'no-cache',
      '/dashboard/theme.css': 'no-cache',
      '/demo/demo.js': 'no-cache',
      '/dashboard/assets/none.js': 'no-store',
    })) {
      const { headers } = await get(path)
      const again = await get(path, { 'If-None-Match': headers.get('etag') ?? '"none"' })

      assert.equal(headers.get('cache-control'), caching, path)
      assert.equal(again.headers.get('cache-control'), caching, path)
    }
  })

  test('filter_withAStaleKey_isSentCompressed', async () => {
    const id = '/db/demo.News/news-1'
    const news = await (await get(`/v1${id}`)).json()
    await server.call('PUT', id, { ...news, likes: 1 })

    const zipped = await get('/v1/bloomfilter', { 'Accept-Encoding': 'gzip' })
    const plain = await get('/v1/bloomfilter', { 'Accept-Encoding': 'identity' })
    const again = await get('/v1/bloomfilter', { 'If-None-Match': zipped.headers.get('etag') })
    const refused = await get('/v1/bloomfilter', { 'Accept-Encoding': 'gzip;q=0' })

    const wire = Number(zipped.headers.get('content-length'))
    const text = await plain.text()
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.match(zipped.headers.get('etag'), /^"\w+--gzip"$/)
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(await zipped.text(), text)
    assert.ok(wire < text.length / 10, `${wire} of ${text.length}`)
    assert.equal(again.status, 304)
    assert.equal(refused.headers.get('content-encoding'), null)
  })

  test('answers_always_haveADate', async () => {
    for (const path of ['/demo/', '/v1/db/demo.News/news-2', '/v1/db/demo.News/news-2', '/v1/none']) {
      const sent = Date.parse((await get(path)).headers.get('date'))

      assert.ok(Math.abs(Date.now() - sent) < 60_000, path)
    }
  })
})

describe('the SDK of a server', () => {
  let data, server, entries

  before(async () => {
    data = await dataFolder()
    server = await Server.start(data.path, { flags: [] })
    const manifest = await readFile(new URL('../../../js-sdk/package.json', import.meta.url), 'utf8')
    entries = Object.keys(JSON.parse(manifest).exports).map((name) => name.slice(2) || 'index')
  })

  after(async () => {
    await server?.stop()
    await data?.remove()
  })

  /** Requests a path unchanged, which `fetch` would normalise. */
  async function ask(path) {
    const asked = request(server.base, { path }).end()
    const [answer] = await once(asked, 'response')
    return { status: answer.statusCode, body: await json(answer) }
  }

  test('entry_requested_isAModuleForPagesOfAnyOrigin', async () => {
    for (const entry of entries) {
      for (const headers of [{}, { Origin: 'null' }, { Origin: 'https://app.example' }]) {
        const { status, headers: told } = await fetch(`${server.base}/sdk/${entry}.js`, { headers })

        assert.equal(status, 200, entry)
        assert.equal(told.get('content-type'), 'text/javascript;charset=utf-8')
        assert.equal(told.get('access-control-allow-origin'), '*')
        assert.equal(told.get('access-control-allow-credentials'), null)
        assert.match(told.get('etag'), /^"\w+"$/)
        assert.doesNotMatch(told.get('vary') ?? '', /origin/i)
      }
    }
  })

  test('entry_isCachedForAMinute_andItsImportedChunksForEver', async () => {
    const entry = await fetch(`${server.base}/sdk/index.js`)
    const chunks = (await entry.text()).match(/chunks\/[\w-]+\.js/g)

    assert.equal(entry.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(entry.headers.get('vary'), 'accept-encoding')
    assert.equal(entry.headers.get('content-encoding'), 'gzip')
    for (const chunk of chunks) {
      const { headers } = await fetch(`${server.base}/sdk/${chunk}`)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable', chunk)
    }
  })

  test('package_requested_isServedUnchanged', async () => {
    const answer = await fetch(`${server.base}/sdk/orestes-sdk.tgz`)
    const head = new Uint8Array(await answer.arrayBuffer()).subarray(0, 2)

    assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
    assert.equal(answer.headers.get('content-encoding'), null)
    assert.deepEqual([...head], [0x1f, 0x8b])
  })

  test('entry_requestedByHead_isAnsweredWithoutABody', async () => {
    const answer = await fetch(`${server.base}/sdk/index.js`, { method: 'HEAD' })

    assert.deepEqual([answer.status, await answer.text()], [200, ''])
    assert.ok(Number(answer.headers.get('content-length')) > 0)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  })

  test('file_notOfTheSdk_isNotServed', async () => {
    for (const [path, status] of Object.entries({
      '/sdk': 404,
      '/sdk/': 404,
      '/sdk/none.js': 404,
      '/sdk/index.d.ts': 404,
      '/sdk/chunks': 404,
      '/sdk/chunks/': 404,
      '/sdk//index.js': 404,
      '/sdk/.hidden': 404,
      '/sdk/..%2fdashboard/index.html': 404,
      '/sdk/..%2forestes-schema/openapi.json': 404,
      '/sdk/../dashboard/index.html': 400,
      '/sdk/%2e%2e/dashboard/index.html': 400,
      '/demo/sdk/index.js': 404,
    })) {
      const answer = await ask(path)

      assert.equal(answer.status, status, path)
      assert.equal(answer.body.status, status, path)
      assert.equal(typeof answer.body.message, 'string', path)
    }
  })
})
