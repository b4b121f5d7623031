import { percent } from '../server/quantities'

/** What falls into one range of what is measured. */
export interface Bin {
  /** The range, in words. */
  readonly range: string
  readonly count: number
}

interface HistogramProps {
  readonly caption: string
  /** What is measured. */
  readonly measure: string
  /** What is counted. */
  readonly counted: string
  /** At least one of them is not empty. */
  readonly bins: readonly Bin[]
}

/** How often what was measured fell into each range: in numbers, and as bars. */
export function Histogram({ caption, measure, counted, bins }: HistogramProps) {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  return (
    <table>
      <caption className="only-spoken">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{measure}</th>
          <th scope="col" className="number">
            {counted}
          </th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bins.map(({ range, count }) => (
          <tr key={range}>
            <th scope="row">{range}</th>
            <td className="number">{count.toLocaleString('en')}</td>
            <td>
              <Share share={count / total} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Share({ share }: { readonly share: number }) {
  return (
    <>
      <span className="only-spoken">{percent(share)}</span>
      <svg className="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share * 100} height="10" />
      </svg>
    </>
  )
}
