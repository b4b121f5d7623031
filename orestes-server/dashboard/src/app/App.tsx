import { LogIn, SessionEnded } from '../entry/LogIn'
import { Entrance, Refused, Unreachable } from '../entry/Entrance'
import { SetUp } from '../entry/SetUp'
import { Pages } from './Pages'
import { useRoute } from './route'
import { AdminProvider, useSession } from './session'
import { Shell } from './Shell'
import { ViewingProvider } from './viewing'

/** The way in, and the pages behind it. */
export function App() {
  const { setupToken } = useRoute()
  const { session, retry, logOut } = useSession()
  if (setupToken !== null && 'client' in session) {
    return <SetUp client={session.client} token={setupToken} key={setupToken} />
  }
  switch (session.kind) {
    case 'connecting':
      return (
        <Entrance title="Orestes">
          <p className="quiet" role="status">
            Connecting …
          </p>
        </Entrance>
      )
    case 'unreachable':
      return <Unreachable error={session.error} retry={retry} />
    case 'anonymous':
      return <LogIn client={session.client} />
    case 'refused':
      return <Refused username={session.username} logOut={logOut} />
    case 'admin':
      return (
        <AdminProvider session={session} key={session.username}>
          <ViewingProvider>
            <Shell username={session.username} logOut={logOut}>
              <Pages />
            </Shell>
          </ViewingProvider>
          {session.hasEnded && (
            <SessionEnded client={session.client} username={session.username} logOut={logOut} />
          )}
        </AdminProvider>
      )
  }
}
