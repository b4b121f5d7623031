import { Problem } from '../ui/Problem'
import type { More } from './useMore'

/** Asks for those behind the users that are shown, if there may be some. */
export function MoreUsers({ more: { isMore, load } }: { readonly more: More }) {
  return (
    <>
      {isMore && (
        <p>
          <button
            type="button"
            className="button small"
            disabled={load.isBusy}
            onClick={() => void load.run()}
          >
            Show more users
          </button>
        </p>
      )}
      <Problem text={load.problem} />
    </>
  )
}
