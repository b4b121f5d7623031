import { nameOf, type ClassInfo } from '../server/schema'

/** A field that leads to objects of another class, or holds some of it. */
export interface Reference {
  readonly field: string
  /** The other class: where the field leads to, or whose field it is. */
  readonly bucket: string
}

/** How a class hangs together with others; itself may be among them. */
export interface Relations {
  readonly superClass: string | undefined
  readonly extendedBy: readonly string[]
  readonly refersTo: readonly Reference[]
  readonly referredToBy: readonly Reference[]
}

/** The relations of a class, those to the classes of every server apart from `Object` too. */
export function relationsOf(info: ClassInfo, classes: readonly ClassInfo[]): Relations {
  const parent = info.superClass === undefined ? undefined : nameOf(info.superClass)
  return {
    superClass: parent === 'Object' ? undefined : parent,
    extendedBy: classes.filter(({ superClass }) => superClass === info.class).map(({ name }) => name),
    refersTo: referencesOf(info, classes),
    referredToBy: classes.flatMap((other) =>
      referencesOf(other, classes)
        .filter(({ bucket }) => bucket === info.name)
        .map(({ field }) => ({ field, bucket: other.name })),
    ),
  }
}

/** Where the own fields of a class lead, also from within collections. */
function referencesOf(info: ClassInfo, classes: readonly ClassInfo[]): Reference[] {
  const names = new Set(classes.map(({ name }) => name).filter((name) => name !== 'Object'))
  return Object.values(info.fields).flatMap(({ name, type }) =>
    (type.match(/\/db\/[\w.]+/g) ?? [])
      .map(nameOf)
      .filter((each) => names.has(each))
      .map((bucket) => ({ field: name, bucket })),
  )
}
