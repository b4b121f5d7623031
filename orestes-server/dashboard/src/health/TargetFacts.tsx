import type { Purges } from '../server/purges'
import { duration } from '../server/quantities'
import { StateTag } from '../ui/State'
import { stateOfTarget } from './states'
import { targetState } from './status'

/** Whether the shared caches forget what they are told to. */
export function TargetFacts({ purges: { lagMs, targets } }: { readonly purges: Purges }) {
  if (targets.length === 0) {
    return <p>None is told to forget anything, so there is none to wait for.</p>
  }
  return (
    <>
      <p className="quiet">
        {lagMs === null
          ? 'How far behind they are is not known.'
          : `They hold nothing that was replaced more than ${Math.ceil(lagMs / 1000)} s ago.`}
      </p>
      <div className="scrolls" tabIndex={0} role="region" aria-label="Shared caches, one by one">
        <table>
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">State</th>
              <th scope="col" className="number">
                Waiting
              </th>
              <th scope="col" className="number">
                Given up
              </th>
              <th scope="col" className="number">
                Last confirmed
              </th>
            </tr>
          </thead>
          <tbody>
            {targets.map((target) => (
              <tr key={target.name}>
                <th scope="row">{target.name}</th>
                <td>
                  <StateTag of={stateOfTarget(target)} /> {targetState(target)}
                </td>
                <td className="number">{target.backlog.toLocaleString('en')}</td>
                <td className="number">{target.dead.toLocaleString('en')}</td>
                <td className="number">
                  {target.sinceConfirmedMs === null ? 'never' : `${duration(target.sinceConfirmedMs)} ago`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
