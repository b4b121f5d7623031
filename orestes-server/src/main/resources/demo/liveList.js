/** Follows a live query for as long as the page is open, whatever happens to the server in between. */
import { subscribe } from '/sdk/index.js'

const LONGEST_PAUSE_MILLIS = 5000

/**
 * Calls onList with the result and after every change, onState with 'connecting', 'live' or 'lost'. A lost connection comes
 * back by itself; only if the server ended the subscription, e.g. because it stops, it has to be opened anew.
 */
export function follow(bucket, onList, onState) {
  let failures = 0
  let timer

  const open = () => {
    clearTimeout(timer)
    timer = undefined
    subscribe(
      { bucket },
      {
        onList: (list) => {
          failures = 0
          onList(list)
        },
        onConnection: (isConnected) => onState(isConnected ? 'live' : 'lost'),
        onError: () => {
          onState('lost')
          timer = setTimeout(open, Math.min(LONGEST_PAUSE_MILLIS, 500 * 2 ** failures++))
        },
      },
    )
  }

  addEventListener('online', () => {
    if (timer !== undefined) open()
  })
  onState('connecting')
  open()
}
