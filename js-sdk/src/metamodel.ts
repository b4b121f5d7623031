import { isRecord } from './wire.js'

/** A field of a class. */
export interface FieldDescriptor {
  readonly name: string
  /**
  Name of the type, such as `/db/String`, `/db/Todo` for a reference,
  `/db/collection.List[/db/String]`.
  */
  readonly type: string
  readonly flags?: readonly string[]
  readonly metadata?: { readonly [key: string]: string }
}

/**
A class as the server describes it.

@example
```ts
const [todo] = db.schema.classes
const fields: FieldDescriptor[] = Object.values(todo?.fields ?? {})
show(fields.map(({ name, type }) => `${name}: ${type}`))
```
*/
export interface ClassDescriptor {
  /** `/db/<name>`. */
  readonly class: string
  readonly superClass?: string
  readonly embedded?: boolean
  readonly fields: { readonly [name: string]: FieldDescriptor }
}

/**
The classes of a server, as they were when the client was connected.

@example
```ts
db.schema.typeOf('Todo', 'text') // '/db/String'
```
*/
export class Metamodel {
  readonly classes: readonly ClassDescriptor[]

  constructor(classes: readonly ClassDescriptor[]) {
    this.classes = classes
  }

  /**
  Returns the type of a field, also of one inside of embedded objects (`address.city`); undefined if
  unknown.
  */
  typeOf(bucket: string, path: string): string | undefined {
    const [name = '', ...rest] = path.split('.')
    const type = this.#fieldOf(`/db/${bucket}`, name)?.type
    return rest.length === 0 || type === undefined
      ? type
      : this.typeOf(type.slice('/db/'.length), rest.join('.'))
  }

  #fieldOf(ref: string, name: string): FieldDescriptor | undefined {
    const found = this.classes.find((each) => each.class === ref)
    return found && (found.fields[name] ?? this.#fieldOf(found.superClass ?? '', name))
  }
}

/** Returns the classes in a handshake; invalid ones are left out. */
export function toClasses(value: unknown): ClassDescriptor[] {
  return Array.isArray(value) ? value.filter(isClass) : []
}

function isClass(value: unknown): value is ClassDescriptor {
  return isRecord(value) && typeof value['class'] === 'string' && isRecord(value['fields'])
}
