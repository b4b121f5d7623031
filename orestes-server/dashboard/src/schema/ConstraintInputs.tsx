import { limitsFor, type ConstraintInput } from './constraints'

interface ConstraintInputsProps {
  readonly type: string
  readonly input: ConstraintInput
  readonly change: (input: ConstraintInput) => void
}

/** The constraints that values of a type may have. */
export function ConstraintInputs({ type, input, change }: ConstraintInputsProps) {
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={input.isRequired}
          onChange={(event) => change({ ...input, isRequired: event.target.checked })}
        />
        Must be set
      </label>
      <div className="line">
        {limitsFor(type).map(({ key, title, example }) => (
          <label className="stack" key={key}>
            {title}
            <input
              type="text"
              value={input.limits[key] ?? ''}
              placeholder={example}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) =>
                change({ ...input, limits: { ...input.limits, [key]: event.target.value } })
              }
            />
          </label>
        ))}
      </div>
    </>
  )
}
