/**
Reports whether a device has a network, such as a browser's `navigator` and `window`.

@example
```ts
const device: DeviceNetwork = Object.assign(new EventTarget(), { onLine: true })
show(device.onLine)
```
*/
export interface DeviceNetwork {
  readonly onLine: boolean
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
}

/** This device; one without such reports, as under Node, has a network. */
export const thisDevice: DeviceNetwork = {
  get onLine() {
    return globalThis.navigator?.onLine !== false
  },
  addEventListener: (type, listener) => globalThis.addEventListener?.(type, listener),
  removeEventListener: (type, listener) => globalThis.removeEventListener?.(type, listener),
}

/**
State of the connection to the server, as far as known without a request: unreachable if the device
says so, or after a request without an answer, until a request succeeds or the device has a network
again.
*/
export class Connectivity {
  readonly #device: DeviceNetwork
  readonly #listeners = new Set<(isOnline: boolean) => void>()
  #isOnline: boolean

  constructor(device: DeviceNetwork = thisDevice) {
    this.#device = device
    this.#isOnline = device.onLine
  }

  get isOnline(): boolean {
    return this.#isOnline
  }

  /** True if the device itself reports that it has no network. */
  get isDeviceOffline(): boolean {
    return !this.#device.onLine
  }

  /** Observes the device; returns its undo. */
  attend(): () => void {
    const heed = ({ type }: Event) => this.#become(type === 'online')
    const events = ['online', 'offline']
    events.forEach((each) => this.#device.addEventListener(each, heed))
    return () => events.forEach((each) => this.#device.removeEventListener(each, heed))
  }

  /** Calls back when the state has changed; returns its undo. */
  onChange(listener: (isOnline: boolean) => void): () => void {
    const own = (isOnline: boolean) => listener(isOnline)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** Returns a `fetch` that updates the state, but not for answers which may come from a cache. */
  watching(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      try {
        const response = await send(input, init)
        if (init?.cache === 'no-store' || init?.cache === 'no-cache') this.reached()
        return response
      } catch (error) {
        if (error instanceof TypeError && init?.signal?.aborted !== true) this.#become(false)
        throw error
      }
    }
  }

  /** Records that data came from the server. */
  reached(): void {
    this.#become(true)
  }

  /** Waits for a time or until the server is reachable again; fails with the signal's reason. */
  pause(millis: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const end = (settle: () => void) => {
        clearTimeout(timer)
        undo()
        signal.removeEventListener('abort', abort)
        settle()
      }
      const abort = () => end(() => reject(signal.reason as Error))
      const undo = this.onChange((isOnline) => isOnline && end(resolve))
      const timer = setTimeout(() => end(resolve), millis)
      signal.addEventListener('abort', abort)
    })
  }

  #become(isOnline: boolean): void {
    if (isOnline !== this.#isOnline) {
      this.#isOnline = isOnline
      this.#listeners.forEach((listener) => listener(isOnline))
    }
  }
}
