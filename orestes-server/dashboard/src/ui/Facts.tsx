import type { ReactNode } from 'react'

/** What is to be said, each under its name. */
export function Facts({
  of,
  wide = false,
}: {
  readonly of: readonly (readonly [string, ReactNode])[]
  readonly wide?: boolean
}) {
  return (
    <dl className={wide ? 'facts wide' : 'facts'}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt className="quiet">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
