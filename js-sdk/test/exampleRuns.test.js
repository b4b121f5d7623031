import { createElement } from 'react'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as cache from '../src/cache.ts'
import * as index from '../src/index.ts'
import * as offline from '../src/offline.ts'
import * as optimistic from '../src/optimistic.ts'
import * as react from '../src/react.ts'
import * as svelte from '../src/svelte.ts'
import * as types from '../src/types.ts'
import { declaredIn, examples } from './examples.js'
import { stored } from './fakeServer.js'
import { memoryServer } from './memoryServer.ts'

const MODULES = {
  '@orestes/sdk': index,
  '@orestes/sdk/cache': cache,
  '@orestes/sdk/offline': offline,
  '@orestes/sdk/optimistic': optimistic,
  '@orestes/sdk/react': react,
  '@orestes/sdk/svelte': svelte,
  '@orestes/sdk/types': types,
  react: { createElement },
}

/** Time limit of an example in milliseconds. */
const PATIENCE_MILLIS = 4000

/**
Time in milliseconds for which an endless example, which follows a live query in a loop, is watched.
*/
const ENDLESS_MILLIS = 300

const TODO = { text: 'buy milk', done: false, priority: 1, tags: ['shop'], owner: '/db/User/ann' }

const OBJECTS = [
  stored('/db/Todo/milk', 1, TODO),
  stored('/db/Todo/tea', 1, { ...TODO, text: 'tea' }),
  stored('/db/User/ann', 1, { username: 'ann' }),
  stored('/db/Account/ann', 1, { balance: 50 }),
  stored('/db/Account/bob', 1, { balance: 50 }),
]

/** Returns names that examples use without a declaration. */
async function given(text) {
  const db = await index.connect('http://127.0.0.1:8080')
  const error = new index.ConflictError(412, 'Object Out Of Date', 'others were faster', {
    stale: ['/db/Todo/a'],
  })
  const piped = { subscribe: () => {} }
  const names = {
    ...Object.assign({}, ...Object.values(MODULES)),
    sdk: index,
    db,
    todos: db.bucket('Todo'),
    todo: OBJECTS[0],
    milk: OBJECTS[0],
    error,
    show: () => {},
    showLogin: () => {},
    showTools: () => {},
    from: () => ({ pipe: () => piped }),
    debounceTime: () => {},
    console: { log: () => {}, table: () => {} },
    same: (actual, expected) => expect(actual).toBe(expected),
  }
  const declared = declaredIn(text)
  return Object.fromEntries(Object.entries(names).filter(([name]) => !declared.includes(name)))
}

/**
Returns an example as the body of a function. A comment behind an expression states its value, which
is asserted.
*/
function toBody(text) {
  const checked = text.replace(
    /^ *(?!const |let |await )(\S.*\)) \/\/ ('[^']*'|\d+|true|false)$/gm,
    'same($1, $2)',
  )
  const { outputText } = ts.transpileModule(`${checked}\nexport {}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  return outputText
    .replace(/^import (\{[^}]*\}) from '([^']+)';?$/gm, (_, names, from) => {
      return `const ${names.replaceAll(' as ', ': ')} = MODULES['${from}']`
    })
    .replace(/^export \{\};?$/gm, '')
}

async function run(text) {
  const names = { MODULES, ...(await given(text)) }
  const AsyncFunction = (async () => {}).constructor
  const task = new AsyncFunction(...Object.keys(names), toBody(text))(...Object.values(names))
  const isEndless = /for await \(.* of (live|.*live\w*\()/i.test(text)
  const patience = new Promise((resolve, reject) => {
    if (isEndless) setTimeout(resolve, ENDLESS_MILLIS)
    else setTimeout(() => reject(new Error('The example does not end')), PATIENCE_MILLIS)
  })
  await Promise.race([task, patience])
}

beforeEach(() => {
  const kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  })
  vi.stubGlobal('EventSource', class extends EventTarget {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('an example does what it says', () => {
  it.each(examples())('$name', async ({ text }) => {
    const isNew = /insert\(\{ id: 'milk'/.test(text)
    const server = memoryServer(isNew ? OBJECTS.slice(1) : OBJECTS)
    vi.stubGlobal('fetch', server.fetch)
    vi.stubGlobal('WebSocket', server.WebSocket)

    await run(text)
  })

  it('would not, if it did not', async () => {
    const server = memoryServer(OBJECTS)
    vi.stubGlobal('fetch', server.fetch)
    vi.stubGlobal('WebSocket', server.WebSocket)

    await expect(run(`todos.id('milk') // '/db/Todo/tea'`)).rejects.toThrow('/db/Todo/tea')
    await expect(run(`await todos.load('jam')`)).rejects.toThrow(index.NotFoundError)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const endless = expect(run(`await new Promise(() => {})`)).rejects.toThrow('does not end')
    await vi.advanceTimersByTimeAsync(PATIENCE_MILLIS)
    await endless
    vi.useRealTimers()
  })
})
