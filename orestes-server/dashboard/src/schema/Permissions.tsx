import { useLive } from '@orestes/sdk/react'
import type { Permission } from '@orestes/sdk'
import { useAdmin } from '../app/session'
import type { ClassInfo } from '../server/schema'
import { keyIn } from '../server/values'

const OPERATIONS: { readonly [operation: string]: string } = {
  load: 'load one',
  query: 'query',
  insert: 'insert',
  update: 'update',
  delete: 'delete',
  schemaAdd: 'add fields',
  schemaReplace: 'change fields',
  schemaSubclass: 'derive classes',
}

/** Who may do what with objects of a class. */
export function Permissions({ info }: { readonly info: ClassInfo }) {
  const names = useRoleNames()
  return (
    <section className="card" aria-labelledby="permissions">
      <h2 id="permissions">Permissions</h2>
      <p className="quiet">
        Of the class; objects may have narrower ones. Members of the role admin may do everything.
      </p>
      <dl className="facts wide">
        {Object.entries(OPERATIONS).map(([operation, name]) => (
          <div key={operation}>
            <dt>{name}</dt>
            <dd>
              <Rule permission={info.acl[operation] ?? {}} names={names} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface RuleProps {
  readonly permission: Permission
  readonly names: ReadonlyMap<string, string>
}

function Rule({ permission, names }: RuleProps) {
  const named = (kind: 'allow' | 'deny') =>
    Object.entries(permission)
      .filter(([, each]) => each === kind)
      .map(([id]) => names.get(id) ?? keyIn(id))
  const [allowed, denied] = [named('allow'), named('deny')]
  return (
    <>
      {allowed.length === 0 ? <span className="tag open">everybody</span> : allowed.map(tag)}
      {denied.length > 0 && <> but not {denied.map(tag)}</>}
    </>
  )
}

function tag(name: string) {
  return (
    <span className="tag" key={name}>
      {name}
    </span>
  )
}

/** What roles are called, by their ids. */
function useRoleNames(): ReadonlyMap<string, string> {
  const { client } = useAdmin()
  const { data = [] } = useLive(client.bucket<{ name: string }>('Role').find().sort({ id: 1 }).limit(500))
  return new Map(data.map(({ id, name }) => [id, name]))
}
