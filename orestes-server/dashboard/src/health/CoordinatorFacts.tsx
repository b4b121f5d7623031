import { bytes, duration } from '../server/quantities'
import { Facts } from '../ui/Facts'
import { StateTag } from '../ui/State'
import { stateOfMember } from './states'
import { changeReaderOf, memberName, type Member, type Report } from './status'

/** Where servers agree on things, and who they are. */
export function CoordinatorFacts({ of: { coordinator, store } }: { readonly of: Report }) {
  const { kind, reachable, current, leaseMs, servers } = coordinator
  if (kind === 'process') {
    return (
      <p>
        This server works alone. Several of them on one MongoDB share the work once they are given a ZooKeeper
        to meet at: see <code>zookeeper</code> among the settings.
      </p>
    )
  }
  return (
    <>
      {!current && (
        <p>
          This server has lost touch with the others. It answers from the store alone, caches nothing and
          refuses writes until it has entered the group again.
        </p>
      )}
      <Facts
        wide
        of={[
          ['ZooKeeper', reachable ? 'answers' : 'does not answer'],
          ['Own lease', leaseMs === null || leaseMs === 0 ? 'has ended' : `${duration(leaseMs)} left`],
          ...(store.changes === undefined ? [] : [['Reads changes', changeReaderOf(coordinator)] as const]),
        ]}
      />
      <div className="scrolls" tabIndex={0} role="region" aria-label="Servers of the group">
        <table>
          <caption className="only-spoken">
            Servers of the group, and what this one still has to tell them
          </caption>
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">State</th>
              <th scope="col" className="number">
                Unconfirmed
              </th>
              <th scope="col" className="number">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {servers.map((server) => (
              <ServerRow key={server.id} server={server} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function ServerRow({ server }: { readonly server: Member }) {
  const { link } = server
  return (
    <tr>
      <th scope="row">{memberName(server)}</th>
      <td>
        <StateTag of={stateOfMember(server)} /> {link?.connected === false && 'no connection'}
      </td>
      <td className="number">{link === null ? '–' : link.unanswered.toLocaleString('en')}</td>
      <td className="number">{link === null ? '–' : `${bytes(link.bytes)} of ${bytes(link.maxBytes)}`}</td>
    </tr>
  )
}
