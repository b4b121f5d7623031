import type { ReactNode } from 'react'
import { messageOf } from '../server/messages'
import { usePageTitle } from '../ui/usePageTitle'

interface EntranceProps {
  readonly title: string
  readonly children: ReactNode
}

/** What is shown before somebody is in: one card. */
export function Entrance({ title, children }: EntranceProps) {
  usePageTitle(title)
  return (
    <>
      <header className="bar">
        <img src="/dashboard/icon.svg" alt="" />
        <span className="brand">Orestes</span>
      </header>
      <main className="entrance">
        <section className="card" aria-labelledby="entrance-title">
          <h1 id="entrance-title">{title}</h1>
          {children}
        </section>
      </main>
    </>
  )
}

/** Somebody who is no admin: nothing was loaded for them. */
export function Refused({ username, logOut }: { readonly username: string; readonly logOut: () => void }) {
  return (
    <Entrance title="This is for admins">
      <p role="alert">
        You are logged in as <strong>{username}</strong>, who is not a member of the role <code>admin</code>.
        The dashboard shows nothing to you.
      </p>
      <p className="quiet">An admin can put you into that role, or you can log in as somebody else.</p>
      <button type="button" className="button primary" onClick={logOut}>
        Log out
      </button>
    </Entrance>
  )
}

/** The server cannot be reached, or does not let us find out who we are. */
export function Unreachable({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  return (
    <Entrance title="No connection">
      <p role="alert">{messageOf(error)}</p>
      <button type="button" className="button primary" onClick={retry}>
        Try again
      </button>
    </Entrance>
  )
}
