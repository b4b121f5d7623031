import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Pinboard } from '../src/pinboard.js'
import { VERSIONS } from '../src/site.js'
import { Stage } from '../src/stage.js'

const SCHEMA = fileURLToPath(new URL('../app/schema', import.meta.url))

/** Log messages of Chromium about error responses and closed sockets. */
const REFUSALS = /Failed to load resource: the server responded with a status of 4/
const LOST_SOCKETS = /WebSocket connection to/

/** Later versions have no live queries. */
const LIVE = /^3\./

let stage
before(async () => {
  stage = await Stage.set()
  await stage.applySchema(SCHEMA)
})
after(() => stage?.clear())

for (const version of VERSIONS) {
  describe(`an application of baqend ${version} in a browser, on another origin than the API`, () => {
    const names = { ann: `ann ${version}`, bob: `bob ${version}` }
    let boards = 0
    let board, ann, bob

    before(async () => {
      ;[ann, bob] = await Promise.all(Object.values(names).map((name) => Pinboard.open(stage, version, name)))
    })

    after(() => Promise.all([ann, bob].map((page) => page?.close())))

    beforeEach(() => {
      board = `${version}-${++boards}`
    })

    afterEach(() => stage.api.sockets.accept())

    /** Opens the same board for both users. */
    async function bothVisit() {
      await stage.write(`/db/Board/${board}`, { title: 'Shared', notes: [] })
      await Promise.all([ann.visit(board), bob.visit(board)])
    }

    function assertNoComplaints(...expected) {
      const found = [ann, bob].flatMap(({ complaints }) => complaints.splice(0))
      assert.deepEqual(
        found.filter((text) => !expected.some((known) => known.test(text))),
        [],
      )
    }

    async function bothShow(todos, open) {
      await Promise.all([ann.untilTodos(todos, open), bob.untilTodos(todos, open)])
    }

    test('session_acrossReloads_resumes_andEndsWithLogout', async () => {
      await ann.visit(board)
      await ann.start()

      await ann.reload()
      await ann.untilUser(names.ann)
      await ann.logOut()
      await ann.reload()
      await ann.untilNobody()

      assert.match(await ann.logInWrongly(names.ann), /incorrect/)
      await ann.logIn(names.ann)
      assertNoComplaints(REFUSALS)
    })

    test('session_isSentOnlyToThePageThatConnects', async () => {
      await ann.visit(board)
      await ann.untilUser(names.ann)

      assert.deepEqual(await ann.spiedUpon(board), [])
    })

    test('todos_changedInOneWindow_changeInTheOther', async () => {
      await bothVisit()
      assert.equal(await bob.isLive(), LIVE.test(version))

      await ann.add('water')
      await ann.add('weed')
      await bothShow(['water', 'weed'], 2)
      await bob.tick('water')
      await bothShow(['water', 'weed'], 1)
      await bob.delete('weed')
      await bothShow(['water'], 0)

      await bob.reload()
      await bob.untilTodos(['water'], 0)
      assertNoComplaints(REFUSALS)
    })

    test('privateTodo_isForItsUserOnly', async () => {
      await bothVisit()

      await ann.add('plan a party for bob', { isPrivate: true })
      await ann.add('plan the beds')

      await bob.untilTodos(['plan the beds'], 1)
      await bob.find('plan', ['plan the beds'])
      await ann.untilTodos(['plan a party for bob', 'plan the beds'], 2)
      await ann.find('plan', ['plan a party for bob', 'plan the beds'])
      await ann.logOut()
      await ann.untilTodos(['plan the beds'], 1)
      await ann.logIn(names.ann)
      await ann.untilTodos(['plan a party for bob', 'plan the beds'], 2)
    })

    test('moveUp_swapsTwoForAll_orNoneAfterAConcurrentChange', async () => {
      await bothVisit()
      for (const text of ['sow', 'weed', 'water']) await ann.add(text)
      await bob.untilTodos(['sow', 'weed', 'water'], 3)

      await bob.moveUp('water')
      await bothShow(['sow', 'water', 'weed'], 3)
      stage.api.sockets.refuse()
      await ann.tick('water')
      await bob.moveUp('water')

      assert.match(await bob.problem(), /out of date/)
      stage.api.sockets.accept()
      await bothShow(['sow', 'water', 'weed'], 2)
      await bob.moveUp('water')
      await bothShow(['water', 'sow', 'weed'], 2)
      assertNoComplaints(REFUSALS, LOST_SOCKETS)
    })

    if (LIVE.test(version)) {
      test('todos_afterTheConnectionWasLost_catchUp', async () => {
        await bothVisit()
        await ann.add('water')
        await bob.untilTodos(['water'], 1)

        stage.api.sockets.refuse()
        await ann.tick('water')
        stage.api.sockets.accept()
        await bothShow(['water'], 0)
        await ann.add('weed')

        await bothShow(['water', 'weed'], 1)
        assertNoComplaints(REFUSALS, LOST_SOCKETS)
      })
    }

    test('note_changedByAUser_isNewForThemAtOnce_andForOthersOnLoad', async () => {
      await bothVisit()
      await ann.pin('bins on Monday')
      await bob.reload()
      assert.deepEqual(await bob.notes(), ['bins on Monday'])

      await ann.changeNote('bins on Monday', 'bins on Tuesday')
      await bob.reload()

      assert.deepEqual(await bob.notes(), ['bins on Tuesday'])
      await ann.reload()
      assert.deepEqual(await ann.notes(), ['bins on Tuesday'])
    })

    test('calls_allGoThroughTheConnectPage', async () => {
      ann.requests.length = 0
      stage.api.take()
      await ann.visit(board)
      await ann.start()
      await ann.add('water')
      await ann.pin('a note')
      await ann.find('wat', ['water'])

      const connect = `${stage.api.api}/connect`
      const [page, ...calls] = ann.requests.filter(({ url }) => url.startsWith(stage.api.api))
      assert.deepEqual(page, { method: version === '3.1.4' ? 'GET' : 'POST', url: connect, frame: 'new' })
      assert.ok(calls.length > 5)
      assert.deepEqual(
        calls.filter(({ url, frame }) => url === connect || frame !== connect),
        [],
      )
      assert.deepEqual(
        ann.requests.filter(({ url }) => !url.startsWith(stage.api.api) && !url.startsWith(stage.site.base)),
        [],
      )
      assert.deepEqual(
        stage.api.take().filter((line) => line.startsWith('OPTIONS')),
        [],
      )
    })

    test('secondLoad_requestsOnlyWhatHasChanged', async () => {
      const notes = ['a', 'b', 'c'].map((name) => `/db/Note/${board}-${name}`)
      for (const id of notes) await stage.write(id, { text: 'old' })
      await stage.write(`/db/Board/${board}`, { title: 'Shared', notes })
      stage.api.take()

      await ann.visit(board)
      assert.deepEqual(objectReads(), [`GET /db/Board/${board} 200`, ...notes.map((id) => `GET ${id} 200`)])

      await ann.reload()
      assert.deepEqual(objectReads(), [])

      await stage.write(notes[1], { text: 'new' })
      await ann.reload()
      assert.deepEqual(objectReads(), [`GET ${notes[1]} 200`])
      assert.deepEqual(await ann.notes(), ['old', 'new', 'old'])
    })

    /**
    The requests for single objects that have reached the server; all others are for what may not be
    cached.
    */
    function objectReads() {
      const seen = stage.api.take()
      const other = /^(GET|POST) \/connect(\?\S*)? 200$|^GET \/db\/Todo\/(query|count)\?\S* (200|304)$/
      return seen.filter((line) => !other.test(line))
    }
  })
}
