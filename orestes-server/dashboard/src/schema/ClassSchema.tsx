import { useState } from 'react'
import { go, hrefOf } from '../app/route'
import { useAdmin } from '../app/session'
import { dropClass, isBuiltIn, nameOf, type ClassInfo } from '../server/schema'
import { Confirm } from '../ui/Confirm'
import { PageHead } from '../ui/PageHead'
import { RefreshClasses } from '../ui/RefreshClasses'
import { Fields } from './Fields'
import { Indexes } from './Indexes'
import { Permissions } from './Permissions'

/** One class: its fields, indexes and permissions. */
export function ClassSchema({ info }: { readonly info: ClassInfo }) {
  const [isDropping, setDropping] = useState(false)
  const parent = info.superClass === undefined ? undefined : nameOf(info.superClass)
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
      {parent !== undefined && parent !== 'Object' && (
        <p className="quiet">
          Extends <a href={hrefOf('schema', parent)}>{parent}</a>.
        </p>
      )}
      <Fields info={info} />
      {info.embedded !== true && <Indexes info={info} />}
      <Permissions info={info} />
      {isDropping && <DropClass name={info.name} close={() => setDropping(false)} />}
    </>
  )
}

function DropClass({ name, close }: { readonly name: string; readonly close: () => void }) {
  const { client, reloadClasses } = useAdmin()
  const confirm = async () => {
    await dropClass(client, name)
    go(hrefOf('schema'))
    await reloadClasses()
  }
  return (
    <Confirm title={`Drop ${name}?`} action="Drop class and objects" confirm={confirm} close={close}>
      <p>
        The class and <strong>all of its objects</strong> are deleted. This cannot be undone.
      </p>
    </Confirm>
  )
}
