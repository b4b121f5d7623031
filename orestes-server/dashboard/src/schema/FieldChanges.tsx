import type { FieldDescriptor } from '@orestes/sdk'
import { useCallback, useState } from 'react'
import { useAdmin } from '../app/session'
import { useLoaded } from '../app/useLoaded'
import { shortType, type ClassInfo } from '../server/schema'
import { ChangeDialog } from './ChangeDialog'
import { effectsOf, fieldDifferences, type SchemaChange } from './changes'
import { ConstraintInputs } from './ConstraintInputs'
import { constraintInputOf, withConstraints, type ConstraintInput } from './constraints'
import { TypeSelect } from './TypeSelect'

/** What can be done with a field that is there. */
export type FieldAction = 'rename' | 'change' | 'remove'

interface FieldDialogProps {
  readonly info: ClassInfo
  readonly field: FieldDescriptor
  readonly close: () => void
}

/** The dialog for what is to be done with a field. */
export function FieldDialog({ action, ...props }: FieldDialogProps & { readonly action: FieldAction }) {
  switch (action) {
    case 'rename':
      return <RenameField {...props} />
    case 'change':
      return <ChangeField {...props} />
    case 'remove':
      return <RemoveField {...props} />
  }
}

function RenameField({ info, field, close }: FieldDialogProps) {
  const [name, setName] = useState(field.name)
  const stored = useStored(info, field)
  const to = name.trim()
  const change: SchemaChange | undefined =
    to === '' || to === field.name
      ? undefined
      : { operation: 'renameField', bucket: info.class, from: field.name, to }
  return (
    <ChangeDialog
      title={`Rename ${field.name}`}
      action="Rename field"
      change={change}
      differences={[{ what: 'name', before: field.name, after: to }]}
      effects={change === undefined ? [] : effectsOf(change, field, stored)}
      close={close}
    >
      <label className="stack">
        New name
        <input
          type="text"
          value={name}
          onChange={(event) => setName(event.target.value)}
          data-first
          spellCheck={false}
          autoComplete="off"
          required
        />
      </label>
    </ChangeDialog>
  )
}

function RemoveField({ info, field, close }: FieldDialogProps) {
  const stored = useStored(info, field)
  const change: SchemaChange = { operation: 'removeField', bucket: info.class, name: field.name }
  return (
    <ChangeDialog
      title={`Remove ${field.name}`}
      action="Remove field and values"
      change={change}
      differences={[{ what: field.name, before: shortType(field.type), after: 'not there' }]}
      effects={effectsOf(change, field, stored)}
      close={close}
    />
  )
}

function ChangeField({ info, field, close }: FieldDialogProps) {
  const [type, setType] = useState(field.type)
  const [isLossy, setLossy] = useState(false)
  const [input, setInput] = useState<ConstraintInput>(() => constraintInputOf(field))
  const stored = useStored(info, field)
  const after = withConstraints({ ...field, type }, input)
  const differences = fieldDifferences(field, after)
  const isOtherType = type !== field.type
  const change: SchemaChange | undefined =
    differences.length === 0
      ? undefined
      : {
          operation: 'changeField',
          bucket: info.class,
          field: after,
          ...(isOtherType && isLossy && { lossy: true as const }),
        }
  return (
    <ChangeDialog
      title={`Change ${field.name}`}
      action="Change field"
      change={change}
      differences={differences}
      effects={change === undefined ? [] : effectsOf(change, field, stored)}
      close={close}
    >
      <TypeSelect type={type} choose={setType} />
      <ConstraintInputs type={type} input={input} change={setInput} />
      {isOtherType && (
        <label className="check">
          <input type="checkbox" checked={isLossy} onChange={(event) => setLossy(event.target.checked)} />
          Convert what fits, and lose what does not
        </label>
      )}
    </ChangeDialog>
  )
}

/** How many objects have a value in the field; undefined where that is not known (yet). */
function useStored({ name, embedded }: ClassInfo, field: FieldDescriptor): number | undefined {
  const { client } = useAdmin()
  const load = useCallback(
    async (signal: AbortSignal) =>
      embedded === true
        ? undefined
        : (
            await client
              .bucket(name)
              .find({ [field.name]: { $ne: null } })
              .count({ signal })
          ).data,
    [client, name, embedded, field.name],
  )
  return useLoaded(load).data
}
