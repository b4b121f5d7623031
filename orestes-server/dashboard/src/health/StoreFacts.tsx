import { duration } from '../server/quantities'
import { readerOf, type StoreHealth } from './status'

interface StoreFactsProps {
  readonly store: StoreHealth
  /** Whether this is what it says of itself now. */
  readonly isNow: boolean
}

/** How fast the store answers, how what others write to it is read, and what it cannot do. */
export function StoreFacts({ store: { changes, missing, answerMs }, isNow }: StoreFactsProps) {
  return (
    <>
      {isNow && answerMs !== null && (
        <p className="quiet">It answered a read of one object in {duration(answerMs)}.</p>
      )}
      {isNow && changes !== undefined && <p className="quiet">{readerOf(changes)}</p>}
      {missing.length > 0 && (
        <>
          <p>What it cannot do, and what that costs:</p>
          <ul id="missing-list">
            {missing.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
