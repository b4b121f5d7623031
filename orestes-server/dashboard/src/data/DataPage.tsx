import type { ReactNode } from 'react'
import type { Route } from '../app/route'
import { ReaderProvider, useAdmin } from '../app/session'
import { useViewing, type Viewed } from '../app/viewing'
import { bucketsOf, isBuiltIn } from '../server/schema'
import { ClassList } from '../ui/ClassList'
import { PageHead } from '../ui/PageHead'
import { RefreshClasses } from '../ui/RefreshClasses'
import { ClassData } from './ClassData'
import { FirstClass } from './FirstClass'
import { ViewingBanner } from './ViewingBanner'

/** What is in it as somebody else sees it, if one is viewed. */
function ViewedData({
  viewed,
  children,
}: {
  readonly viewed: Viewed | undefined
  readonly children: ReactNode
}) {
  if (viewed === undefined) {
    return children
  }
  const { client, username } = viewed
  return (
    <ReaderProvider client={client} key={username}>
      <ViewingBanner username={username} />
      {children}
    </ReaderProvider>
  )
}

/** The objects of one class; the first of the classes that somebody made if none is named. */
export function DataPage({ route }: { readonly route: Route }) {
  const { classes } = useAdmin()
  const { viewed } = useViewing()
  const buckets = bucketsOf(classes)
  const name = route.bucket ?? buckets.find((each) => !isBuiltIn(each))?.name
  return (
    <div className="columns">
      <ClassList page="data" chosen={name} />
      <main tabIndex={-1}>
        {name === undefined ? (
          <FirstClass />
        ) : buckets.some((each) => each.name === name) ? (
          <ViewedData viewed={viewed}>
            <ClassData bucket={name} view={route} openKey={route.key} key={name} />
          </ViewedData>
        ) : (
          <>
            <PageHead title="No such class">
              <RefreshClasses />
            </PageHead>
            <p className="quiet">There is no class called {name}, or it was dropped. Choose another one.</p>
          </>
        )}
      </main>
    </div>
  )
}
