import type { Permission } from '@orestes/sdk'
import { keyIn } from '../server/values'

/** What a permission says of one user or role. */
export interface Rule {
  readonly id: string
  readonly name: string
  readonly rule: 'allow' | 'deny'
}

/**
The rules of a permission, by name.

@param names what users and roles are called, by their ids; others are called by their keys
*/
export function rulesOf(permission: Permission, names: ReadonlyMap<string, string>): Rule[] {
  return Object.entries(permission)
    .map(([id, rule]) => ({ id, rule, name: names.get(id) ?? keyIn(id) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** The permission without what it says of one of them. */
export function without(permission: Permission, id: string): Permission {
  return Object.fromEntries(Object.entries(permission).filter(([each]) => each !== id))
}
