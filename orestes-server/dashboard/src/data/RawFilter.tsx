import { lazy, Suspense, useMemo } from 'react'
import { useAdmin } from '../app/session'
import { FilterFields } from './filterFields'

interface RawFilterProps {
  readonly bucket: string
  readonly value: string
  readonly change: (value: string) => void
  readonly isInvalid: boolean
}

/** Most visits to a table need no editor, which is larger than the rest of the page. */
const FilterEditor = lazy(async () => ({ default: (await import('./FilterEditor')).FilterEditor }))

/** A MongoDB filter as text. */
export function RawFilter({ bucket, ...editing }: RawFilterProps) {
  const { classes } = useAdmin()
  const fields = useMemo(() => new FilterFields(bucket, classes), [bucket, classes])
  return (
    <div className="stack raw-filter">
      <span className="caption">MongoDB filter</span>
      <Suspense fallback={<div className="loading-editor" />}>
        <FilterEditor label="MongoDB filter" fields={fields} {...editing} />
      </Suspense>
    </div>
  )
}
