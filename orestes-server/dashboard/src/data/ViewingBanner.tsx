import { hrefOfUser } from '../app/route'
import { useViewing } from '../app/viewing'

/** Says that somebody else's view is shown, and leads back. */
export function ViewingBanner({ username }: { readonly username: string }) {
  const { endViewing } = useViewing()
  return (
    <div className="viewing" role="region" aria-label="View as a user">
      <p role="status">
        You see the data as <strong>{username}</strong> does, and cannot change it.
      </p>
      <span className="actions">
        <a className="button small" href={hrefOfUser(username)}>
          Explain permissions
        </a>
        <button type="button" className="button small primary" onClick={endViewing}>
          Back to your own view
        </button>
      </span>
    </div>
  )
}
