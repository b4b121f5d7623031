import type { Route } from '../app/route'
import { useAdmin } from '../app/session'
import { ClassList } from '../ui/ClassList'
import { PageHead } from '../ui/PageHead'
import { RefreshClasses } from '../ui/RefreshClasses'
import { AddClass } from './AddClass'
import { ClassSchema } from './ClassSchema'
import { Overview } from './Overview'

/** All classes, or one of them with its fields, indexes and permissions. */
export function SchemaPage({ route: { bucket } }: { readonly route: Route }) {
  const { classes } = useAdmin()
  const found = classes.find(({ name }) => name === bucket)
  return (
    <div className="columns">
      <ClassList page="schema" chosen={bucket} />
      <main tabIndex={-1}>
        {found !== undefined ? (
          <ClassSchema info={found} key={found.name} />
        ) : bucket === undefined ? (
          <>
            <PageHead title="Schema">
              <div className="actions">
                <RefreshClasses />
                <AddClass />
              </div>
            </PageHead>
            <Overview />
          </>
        ) : (
          <>
            <PageHead title="No such class">
              <RefreshClasses />
            </PageHead>
            <p className="quiet">There is no class called {bucket}, or it was dropped. Choose another one.</p>
          </>
        )}
      </main>
    </div>
  )
}
