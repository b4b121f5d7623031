import type { Permission } from '@orestes/sdk'
import { useState } from 'react'
import type { ClassInfo } from '../server/schema'
import { ChangeDialog } from './ChangeDialog'
import { OPERATIONS, permissionDifferences, permissionEffects } from './changes'
import { FindCaller } from './FindCaller'
import { rulesOf, without } from './rules'
import { useCallerNames } from './useCallerNames'

interface PermissionDialogProps {
  readonly info: ClassInfo
  /** What the permission is about. */
  readonly operation: string
  /** What else may get the same one. */
  readonly operations: readonly string[]
  readonly close: () => void
}

/** Who may do something with objects of a class, to be changed, and the same for other operations. */
export function PermissionDialog({ info, operation, operations, close }: PermissionDialogProps) {
  const [permission, setPermission] = useState<Permission>(info.acl[operation] ?? {})
  const [others, setOthers] = useState<readonly string[]>([])
  const names = useCallerNames([...Object.values(info.acl), permission])
  const acl = Object.fromEntries([operation, ...others].map((each) => [each, permission]))
  const differences = permissionDifferences(info.acl, acl, names)
  return (
    <ChangeDialog
      title={`Who may ${OPERATIONS[operation]}: ${info.name}`}
      action="Change permissions"
      change={differences.length === 0 ? undefined : { operation: 'updateClassAcl', bucket: info.class, acl }}
      differences={differences}
      effects={permissionEffects(info.acl, acl)}
      close={close}
    >
      <RuleList permission={permission} names={names} change={setPermission} />
      <FindCaller
        add={(id, rule) => setPermission({ ...permission, [id]: rule })}
        taken={Object.keys(permission)}
      />
      <fieldset className="checks">
        <legend>The same for</legend>
        {operations
          .filter((each) => each !== operation)
          .map((each) => (
            <label className="check" key={each}>
              <input
                type="checkbox"
                checked={others.includes(each)}
                onChange={(event) =>
                  setOthers(event.target.checked ? [...others, each] : others.filter((one) => one !== each))
                }
              />
              {OPERATIONS[each]}
            </label>
          ))}
      </fieldset>
    </ChangeDialog>
  )
}

interface RuleListProps {
  readonly permission: Permission
  readonly names: ReadonlyMap<string, string>
  readonly change: (permission: Permission) => void
}

function RuleList({ permission, names, change }: RuleListProps) {
  const rules = rulesOf(permission, names)
  return (
    <>
      {rules.every(({ rule }) => rule === 'deny') && (
        <p>
          <strong>Everybody</strong> may, as nobody is named who may{rules.length > 0 && ', but not'}:
        </p>
      )}
      {rules.length > 0 && (
        <ul className="rows" aria-label="Rules">
          {rules.map(({ id, name, rule }) => (
            <li key={id}>
              <span>
                <strong>{name}</strong>{' '}
                <span className="quiet">{id.startsWith('/db/Role/') ? 'role' : 'user'}</span>
              </span>
              <span className="tag">{rule === 'allow' ? 'may' : 'may not'}</span>
              <button
                type="button"
                className="button small"
                aria-label={`Remove the rule for ${name}`}
                onClick={() => change(without(permission, id))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
