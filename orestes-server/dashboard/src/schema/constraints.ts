import type { FieldDescriptor } from '@orestes/sdk'

const PREFIX = 'orestes.'

/** What values of a field have to fulfil, in words. */
export function constraintsOf({ flags = [], metadata = {} }: FieldDescriptor): string[] {
  const limits = Object.entries(metadata).filter(([key]) => key.startsWith(PREFIX))
  return [
    ...flags.map((flag) => (flag === 'NOTNULL' ? 'must be set' : flag.toLowerCase())),
    ...limits.map(([key, value]) => `${key.slice(PREFIX.length)} ${value}`),
  ]
}
