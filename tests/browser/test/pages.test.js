import assert from 'node:assert/strict'
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

  test('page_asked_forbidsWhatIsNotFromHere', async () => {
    for (const path of ['/demo/', '/dashboard/']) {
      const { status, headers } = await get(path)

      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/html;charset=utf-8')
      assert.match(headers.get('content-security-policy'), /^default-src 'none';/)
      assert.doesNotMatch(headers.get('content-security-policy'), /unsafe|http|\*/)
    }
  })

  test('page_askedForItsHeadOnly_isAnsweredWithoutABody', async () => {
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
    ]) {
      assert.equal((await get(path)).status, 404, path)
    }
  })

  test('filter_withAStaleKey_isSentCompressed', async () => {
    const id = '/db/demo.News/news-1'
    const news = await (await get(`/v1${id}`)).json()
    await server.call('PUT', id, { ...news, likes: 1 })

    const zipped = await get('/v1/bloomfilter', { 'Accept-Encoding': 'gzip' })
    const plain = await get('/v1/bloomfilter', { 'Accept-Encoding': 'identity' })
    const again = await get('/v1/bloomfilter', { 'If-None-Match': zipped.headers.get('etag') })

    const wire = Number(zipped.headers.get('content-length'))
    const text = await plain.text()
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.match(zipped.headers.get('etag'), /^"\w+--gzip"$/)
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(await zipped.text(), text)
    assert.ok(wire < text.length / 10, `${wire} of ${text.length}`)
    assert.equal(again.status, 304)
  })

  test('answers_always_carryTheTime', async () => {
    for (const path of ['/demo/', '/v1/db/demo.News/news-2', '/v1/db/demo.News/news-2', '/v1/none']) {
      const sent = Date.parse((await get(path)).headers.get('date'))

      assert.ok(Math.abs(Date.now() - sent) < 60_000, path)
    }
  })
})
