import { afterEach, describe, expect, it, vi } from 'vitest'
import { Connectivity, thisDevice } from '../src/connectivity.js'
import { connected, FakeDevice } from './frameworks.js'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function listening(scripts: Parameters<typeof connected>[0] = {}) {
  const device = new FakeDevice()
  const { db } = await connected(scripts, device)
  const heard = vi.fn<(isOnline: boolean) => void>()
  const undo = db.onOnlineChange(heard)
  return { db, device, undo, heard: () => heard.mock.calls.map(([isOnline]) => isOnline) }
}

const FAILED = new TypeError('no network')
const OBJECT = { body: { id: '/db/Todo/a', version: 1, acl: null } }

describe('a client', () => {
  it('is as online as the device says, and tells each change once', async () => {
    const { db, device, heard } = await listening()
    const states = [db.online]

    for (const isOnline of [false, false, true]) {
      device.become(isOnline)
      states.push(db.online)
    }

    expect(states).toEqual([true, false, false, true])
    expect(heard()).toEqual([false, true])
  })

  it('is offline when no answer comes, until one does', async () => {
    const { db, heard } = await listening({ 'GET /version': [FAILED, { status: 503 }] })

    await expect(db.request('/version')).rejects.toMatchObject({ code: 'CONNECTION', isOffline: false })
    const before = db.online
    await expect(db.request('/version')).rejects.toMatchObject({ status: 503 })

    expect([before, db.online]).toEqual([false, true])
    expect(heard()).toEqual([false, true])
  })

  it('says that the device itself is offline', async () => {
    const { db, device } = await listening()
    device.onLine = false

    await expect(db.request('/version')).rejects.toMatchObject({ code: 'CONNECTION', isOffline: true })
  })

  it('is not online because a cache may have answered', async () => {
    const { db, device } = await listening({ 'GET /db/Todo/a': OBJECT })
    device.dispatchEvent(new Event('offline'))

    await db.bucket('Todo').load('a', { consistency: 'any' })
    const cached = db.online
    await db.bucket('Todo').load('a', { consistency: 'fresh' })

    expect([cached, db.online]).toEqual([false, true])
  })

  it('is not offline because somebody gave up', async () => {
    const aborter = new AbortController()
    const { db } = await listening({
      'GET /version': () => {
        aborter.abort()
        throw new TypeError('aborted')
      },
    })

    await expect(db.request('/version', { signal: aborter.signal })).rejects.toThrow()

    expect(db.online).toBe(true)
  })

  it('tells nothing more to who has enough, or when it is closed', async () => {
    const { db, device, undo, heard } = await listening()
    const other = vi.fn()
    db.onOnlineChange(other)

    undo()
    device.become(false)
    db.close()
    device.become(true)

    expect(heard()).toEqual([])
    expect(other.mock.calls).toEqual([[false]])
    expect(db.online).toBe(false)
  })
})

describe('this device', () => {
  it('has a network where nothing says anything', () => {
    vi.stubGlobal('navigator', undefined)
    vi.stubGlobal('addEventListener', undefined)

    const connectivity = new Connectivity()
    connectivity.attend()()

    expect(connectivity.isOnline).toBe(true)
  })

  it('is what the browser says', () => {
    const page = new EventTarget()
    vi.stubGlobal('navigator', { onLine: false })
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))

    const connectivity = new Connectivity(thisDevice)
    const states = [connectivity.isOnline]
    const undo = connectivity.attend()
    page.dispatchEvent(new Event('online'))
    states.push(connectivity.isOnline)
    undo()
    page.dispatchEvent(new Event('offline'))
    states.push(connectivity.isOnline)

    expect(states).toEqual([false, true, true])
  })
})

describe('a pause', () => {
  it('ends with its time, with the network, or by a signal', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const device = new FakeDevice()
    const connectivity = new Connectivity(device)
    connectivity.attend()
    const aborter = new AbortController()
    const ended: string[] = []
    const pause = (name: string, millis: number) =>
      connectivity.pause(millis, aborter.signal).then(
        () => ended.push(name),
        () => ended.push(`${name} aborted`),
      )

    void pause('time', 10)
    void pause('network', 1000)
    await vi.advanceTimersByTimeAsync(10)
    device.become(false)
    await vi.advanceTimersByTimeAsync(10)
    const beforeNetwork = [...ended]
    device.become(true)
    await vi.advanceTimersByTimeAsync(0)
    void pause('signal', 1000)
    aborter.abort()
    await vi.advanceTimersByTimeAsync(0)

    expect(beforeNetwork).toEqual(['time'])
    expect(ended).toEqual(['time', 'network', 'signal aborted'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
