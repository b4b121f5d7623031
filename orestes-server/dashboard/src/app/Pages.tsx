import { lazy, Suspense, useEffect } from 'react'
import { CODE, loadAll } from './pageCode'
import { PartBoundary } from './PartBoundary'
import { useRoute } from './route'

/** The pages, each of which is drawn as soon as its code is there. */
const PARTS = new Map(
  Object.entries(CODE).map(([page, load]) => [page, lazy(async () => ({ default: await load() }))]),
)

/** The page that the address names. */
export function Pages() {
  const route = useRoute()
  useEffect(() => loadAll(), [])
  const Part = PARTS.get(route.page)!
  return (
    <PartBoundary key={route.page}>
      <Suspense fallback={<Loading />}>
        <Part route={route} />
      </Suspense>
    </PartBoundary>
  )
}

function Loading() {
  return (
    <main tabIndex={-1} className="page">
      <p className="quiet" role="status">
        Loading …
      </p>
    </main>
  )
}
