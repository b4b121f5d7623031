import { useState } from 'react'
import { hrefOf } from '../app/route'
import { isBuiltIn, type ClassInfo } from '../server/schema'
import { PageHead } from '../ui/PageHead'
import { RefreshClasses } from '../ui/RefreshClasses'
import { DropClass } from './DropClass'
import { Fields } from './Fields'
import { Indexes } from './Indexes'
import { Permissions } from './Permissions'
import { RelationList } from './RelationList'

/** One class: its fields, indexes and permissions. */
export function ClassSchema({ info }: { readonly info: ClassInfo }) {
  const [isDropping, setDropping] = useState(false)
  return (
    <>
      <PageHead title={info.name} windowTitle={`${info.name} · Schema`}>
        <div className="actions">
          <RefreshClasses />
          {info.embedded !== true && (
            <a className="button small" href={hrefOf('data', info.name)}>
              Show objects
            </a>
          )}
          {!isBuiltIn(info) && (
            <button type="button" className="button small danger" onClick={() => setDropping(true)}>
              Drop class
            </button>
          )}
        </div>
      </PageHead>
      <RelationList info={info} />
      <Fields info={info} />
      {info.embedded !== true && <Indexes info={info} />}
      <Permissions info={info} />
      {isDropping && <DropClass info={info} close={() => setDropping(false)} />}
    </>
  )
}
