import { duration } from '../server/quantities'
import { Facts } from '../ui/Facts'
import type { Queues } from './status'

/** What waits inside the server. */
export function QueueFacts({ queues }: { readonly queues: Queues }) {
  const { matching, matchingLate, passwords, maxPasswords, workersMs } = queues
  return (
    <Facts
      wide
      of={[
        [
          'Writes to match',
          `${matching.toLocaleString('en')}${matchingLate ? ', for so long that no result of a query is cached' : ''}`,
        ],
        ['Passwords to hash', `${passwords} of ${maxPasswords}, beyond which log-ins are refused`],
        [
          'Wait for a thread',
          workersMs === null ? 'more than 2 s: all threads are blocked' : duration(workersMs),
        ],
      ]}
    />
  )
}
