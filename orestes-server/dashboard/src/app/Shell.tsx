import type { ReactNode } from 'react'
import { hrefOf, useRoute, type Page } from './route'

const PAGES: readonly (readonly [Page, string])[] = [
  ['data', 'Data'],
  ['schema', 'Schema'],
  ['users', 'Users'],
  ['live', 'Live'],
  ['caching', 'Caching'],
  ['health', 'Health'],
  ['logs', 'Logs'],
  ['api', 'API'],
  ['settings', 'Settings'],
]

/** Pages that are reached from another one. */
const OVER: { readonly [P in Page]?: Page } = { explain: 'users' }

interface ShellProps {
  readonly username: string
  readonly logOut: () => void
  readonly children: ReactNode
}

/** What is around every page: the way to the others, and out. */
export function Shell({ username, logOut, children }: ShellProps) {
  const { page, bucket } = useRoute()
  return (
    <div className="shell">
      <SkipLink />
      <header className="bar">
        <img src="/dashboard/icon.svg" alt="" />
        <span className="brand">Orestes</span>
        <nav aria-label="Pages">
          {PAGES.map(([each, name]) => (
            <a
              key={each}
              href={hrefOf(each, each === 'data' || each === 'schema' ? bucket : undefined)}
              aria-current={each === page ? 'page' : each === OVER[page] ? 'true' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <span className="who">
          <span className="quiet">{username}</span>
          <button type="button" className="button small" onClick={logOut}>
            Log out
          </button>
        </span>
      </header>
      {children}
    </div>
  )
}

/** An ordinary link would change the address, which says where the user is. */
function SkipLink() {
  return (
    <button type="button" className="skip button" onClick={() => document.querySelector('main')?.focus()}>
      Skip to the content
    </button>
  )
}
