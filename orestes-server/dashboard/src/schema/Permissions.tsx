import type { Permission } from '@orestes/sdk'
import { useState } from 'react'
import type { ClassInfo } from '../server/schema'
import { OPERATIONS } from './changes'
import { PermissionDialog } from './PermissionDialog'
import { rulesOf } from './rules'
import { useCallerNames } from './useCallerNames'

/** Operations on a class without objects of its own. */
const OF_CLASSES = ['schemaAdd', 'schemaReplace', 'schemaSubclass']

/** Who may do what with objects of a class. */
export function Permissions({ info }: { readonly info: ClassInfo }) {
  const names = useCallerNames(Object.values(info.acl))
  const [operation, setOperation] = useState<string>()
  const operations = info.embedded === true ? OF_CLASSES : Object.keys(OPERATIONS)
  return (
    <section className="card" aria-labelledby="permissions">
      <h2 id="permissions">Permissions</h2>
      <p className="quiet">
        Of the class; objects may have narrower ones. Members of the role admin may do everything.
      </p>
      <ul className="rows permissions">
        {operations.map((each) => (
          <li key={each}>
            <strong>{OPERATIONS[each]}</strong>
            <span>
              <Rule permission={info.acl[each] ?? {}} names={names} />
            </span>
            <button
              type="button"
              className="button small"
              aria-label={`Change who may ${OPERATIONS[each]}`}
              onClick={() => setOperation(each)}
            >
              Change
            </button>
          </li>
        ))}
      </ul>
      {operation !== undefined && (
        <PermissionDialog
          info={info}
          operation={operation}
          operations={operations}
          close={() => setOperation(undefined)}
        />
      )}
    </section>
  )
}

interface RuleProps {
  readonly permission: Permission
  readonly names: ReadonlyMap<string, string>
}

function Rule({ permission, names }: RuleProps) {
  const rules = rulesOf(permission, names)
  const allowed = rules.filter(({ rule }) => rule === 'allow')
  const denied = rules.filter(({ rule }) => rule === 'deny')
  return (
    <>
      {allowed.length === 0 ? <span className="tag open">everybody</span> : allowed.map(tag)}
      {denied.length > 0 && <> but not {denied.map(tag)}</>}
    </>
  )
}

function tag({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <span className="tag" key={id}>
      {name}
    </span>
  )
}
