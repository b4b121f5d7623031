import { useId } from 'react'
import { isNames, type Values } from './request'
import type { Parameter } from './spec'

interface ParameterInputsProps {
  readonly parameters: readonly Parameter[]
  readonly values: Values
  readonly change: (values: Values) => void
}

/** What an operation can be given, each with what it means. */
export function ParameterInputs({ parameters, values, change }: ParameterInputsProps) {
  return parameters
    .filter(({ name }) => name !== 'bucket')
    .map((parameter) => (
      <ParameterInput
        parameter={parameter}
        value={values[parameter.name] ?? ''}
        change={(value) => change({ ...values, [parameter.name]: value })}
        key={parameter.name}
      />
    ))
}

interface ParameterInputProps {
  readonly parameter: Parameter
  readonly value: string
  readonly change: (value: string) => void
}

function ParameterInput({ parameter, value, change }: ParameterInputProps) {
  const { name, description = '', in: place, required = false, schema } = parameter
  const id = useId()
  const shared = {
    id,
    value,
    required,
    'aria-describedby': `${id}-about`,
    onChange: (event: { readonly target: { readonly value: string } }) => change(event.target.value),
  }
  return (
    <div className="parameter">
      <label htmlFor={id}>
        <code>{name}</code>
        {place === 'header' && <span className="tag">header</span>}
      </label>
      {schema?.enum === undefined ? (
        <input type="text" placeholder={isNames(parameter) ? 'name=value&other=value' : ''} {...shared} />
      ) : (
        <select {...shared}>
          {!required && <option value="" />}
          {schema.enum.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      <span className="quiet" id={`${id}-about`}>
        {description}
      </span>
    </div>
  )
}
