import { connect, webTokens, type Client } from '@orestes/sdk'
import { OrestesProvider } from '@orestes/sdk/react'
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { loadClasses, type ClassInfo } from '../server/schema'
import { Sessions, type AdminSession, type Session, type SessionOptions } from './sessions'

/** The role that may do everything; others may be called as it is. */
const ADMIN = '/db/Role/1'

/** Apart from the session of an application on the same origin. */
const TOKEN_KEY = 'orestes-dashboard-token'

interface Admin {
  readonly client: Client
  /** That of the admin, also where `client` is somebody else's. */
  readonly ownClient: Client
  readonly classes: readonly ClassInfo[]
  /** Whether the client is that of somebody else, for whom nothing is written. */
  readonly isReadOnly: boolean
  /** Loads the classes anew, after a change. */
  readonly reloadClasses: () => Promise<void>
}

const AdminContext = createContext<Admin | undefined>(undefined)

/** The session of this page and of all tabs beside it; a way to try again what failed, and one to leave. */
export function useSession(): {
  readonly session: Session
  readonly retry: () => void
  readonly logOut: () => void
} {
  const [attempt, setAttempt] = useState(0)
  const [session, setSession] = useState<Session>({ kind: 'connecting' })
  const sessions = useRef<Sessions>(undefined)
  useEffect(() => {
    const begun = new Sessions(OPTIONS, setSession)
    sessions.current = begun
    void begun.start()
    return () => begun.close()
  }, [attempt])
  return {
    session,
    retry: useCallback(() => setAttempt((n) => n + 1), []),
    logOut: useCallback(() => sessions.current?.logOut(), []),
  }
}

const OPTIONS: SessionOptions = {
  connect: (fetcher) =>
    connect(location.origin, {
      consistency: 'fresh',
      tokens: webTokens({ key: TOKEN_KEY }),
      fetch: fetcher,
    }),
  look: sessionOf,
  fetch: (input, init) => fetch(input, init),
}

/** What the user of a client may see here. */
async function sessionOf(client: Client): Promise<Session> {
  const { me } = client.users
  if (me === null) {
    return { kind: 'anonymous', client }
  }
  const { username } = me
  const { data: roles } = await client.bucket('Role').find({ id: ADMIN, users: me.id }).list()
  if (roles.length === 0) {
    return { kind: 'refused', client, username }
  }
  return { kind: 'admin', client, username, classes: await loadClasses(client), hasEnded: false }
}

/** Gives the pages below it the client and the classes. */
export function AdminProvider({
  session,
  children,
}: {
  readonly session: AdminSession
  readonly children: ReactNode
}) {
  const { client } = session
  const [classes, setClasses] = useState(session.classes)
  const reloadClasses = useCallback(async () => setClasses(await loadClasses(client)), [client])
  return (
    <AdminContext value={{ client, ownClient: client, classes, reloadClasses, isReadOnly: false }}>
      <OrestesProvider client={client}>{children}</OrestesProvider>
    </AdminContext>
  )
}

/** Gives the pages below it another client, which reads only. */
export function ReaderProvider({
  client,
  children,
}: {
  readonly client: Client
  readonly children: ReactNode
}) {
  return (
    <AdminContext value={{ ...useAdmin(), client, isReadOnly: true }}>
      <OrestesProvider client={client}>{children}</OrestesProvider>
    </AdminContext>
  )
}

/** Goes on with another token of the same user, in all tabs. */
export function keepSession(token: string): void {
  webTokens({ key: TOKEN_KEY }).set(token)
}

/** The client of an admin, and the classes of the server. */
export function useAdmin(): Admin {
  const admin = useContext(AdminContext)
  if (admin === undefined) {
    throw new TypeError('There is no AdminProvider above this component')
  }
  return admin
}
