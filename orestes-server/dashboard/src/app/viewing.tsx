import { connect, type Client } from '@orestes/sdk'
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { issueToken } from '../users/tokens'
import { readingOnly } from './readingOnly'
import { useAdmin } from './session'

/** Somebody whose eyes the data is seen with. */
export interface Viewed {
  readonly username: string
  /** Reads as that user, and writes nothing. */
  readonly client: Client
}

interface Viewing {
  readonly viewed: Viewed | undefined
  readonly viewAs: (user: { readonly id: string; readonly username: string }) => Promise<void>
  readonly endViewing: () => void
}

/** How long a token of the user is worth anything, and when the next one is asked for while they are viewed. */
const LIFETIME_SECONDS = 600
const RENEWAL_MILLIS = 240_000

const ViewingContext = createContext<Viewing | undefined>(undefined)

/** Keeps whom the data is seen as, in memory only: whoever loads the page anew sees it as themselves. */
export function ViewingProvider({ children }: { readonly children: ReactNode }) {
  const { client } = useAdmin()
  const [viewed, setViewed] = useState<Viewed>()
  const end = useRef(() => {})
  /** Counts views, so that one that takes long to begin does not displace what came after it. */
  const turn = useRef(0)
  const endViewing = useCallback(() => {
    turn.current++
    end.current()
    end.current = () => {}
    setViewed(undefined)
  }, [])
  useEffect(() => endViewing, [endViewing])
  const viewAs = useCallback<Viewing['viewAs']>(
    async ({ id, username }) => {
      endViewing()
      const own = turn.current
      let token = await issueToken(client, id, LIFETIME_SECONDS)
      // what becomes of the token is for this page to say: without it the client would go on as nobody
      const tokens = { get: () => token, set: () => {} }
      const asThem = await connect(location.origin, {
        consistency: 'fresh',
        tokens,
        fetch: readingOnly((input, init) => fetch(input, init)),
      })
      if (own !== turn.current) {
        asThem.close()
        return
      }
      const renew = async () => {
        token = await issueToken(client, id, LIFETIME_SECONDS)
      }
      // a failure is that of the next read, if it is not the next renewal that succeeds
      const timer = setInterval(() => void renew().catch(() => {}), RENEWAL_MILLIS)
      end.current = () => {
        clearInterval(timer)
        asThem.close()
      }
      setViewed({ username, client: asThem })
    },
    [client, endViewing],
  )
  return <ViewingContext value={{ viewed, viewAs, endViewing }}>{children}</ViewingContext>
}

/** Whom the data is seen as. */
export function useViewing(): Viewing {
  const viewing = useContext(ViewingContext)
  if (viewing === undefined) {
    throw new TypeError('There is no ViewingProvider above this component')
  }
  return viewing
}
