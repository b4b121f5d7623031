/**
What tells whether a device has a network, as a browser's `navigator` and `window` do.

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

/** This device; one that does not say, as under Node, has a network. */
export const thisDevice: DeviceNetwork = {
  get onLine() {
    return globalThis.navigator?.onLine !== false
  },
  addEventListener: (type, listener) => globalThis.addEventListener?.(type, listener),
  removeEventListener: (type, listener) => globalThis.removeEventListener?.(type, listener),
}

/**
Whether the server can be reached, as far as that is known without asking: not if the device says so, nor after a request to which
no answer came, until something gets through or the device has a network again.
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

  /** Whether the device itself says that it has no network. */
  get isDeviceOffline(): boolean {
    return !this.#device.onLine
  }

  /** Listens to the device; returns its undo. */
  attend(): () => void {
    const heed = ({ type }: Event) => this.#become(type === 'online')
    const events = ['online', 'offline']
    events.forEach((each) => this.#device.addEventListener(each, heed))
    return () => events.forEach((each) => this.#device.removeEventListener(each, heed))
  }

  /** Calls back when that has changed; returns its undo. */
  onChange(listener: (isOnline: boolean) => void): () => void {
    const own = (isOnline: boolean) => listener(isOnline)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** A `fetch` whose experience counts; not that of answers which a cache may have given without asking. */
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

  /** Something came from the server. */
  reached(): void {
    this.#become(true)
  }

  /** Waits, but no longer than until the server can be reached again; fails with the signal's reason. */
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
