import { describe, expect, test } from 'vitest'
import builtIn from '../../../schema/classes.json'
import {
  curlOf,
  dropDifferences,
  dropEffects,
  effectsOf,
  fieldDifferences,
  migrationOf,
  permissionDifferences,
  permissionEffects,
  type SchemaChange,
} from '../src/schema/changes'
import { constraintInputOf, limitsFor, withConstraints } from '../src/schema/constraints'
import { indexDifferences, indexEffects, indexOf, indexRequest, TEXT_INDEX } from '../src/schema/indexes'
import { relationsOf } from '../src/schema/relations'
import { isFixed, type ClassInfo } from '../src/server/schema'

const PAGES = {
  name: 'pages',
  type: '/db/Integer',
  flags: ['NOTNULL', 'HIDDEN'],
  metadata: { 'orestes.min': '1', note: 'of the first edition' },
}
const NAMES = new Map([
  ['/db/Role/1', 'admin'],
  ['/db/Role/e', 'editors'],
])
const REMOVAL: SchemaChange = { operation: 'removeField', bucket: '/db/Book', name: 'pages' }

const keys = (type: string) => limitsFor(type).map(({ key }) => key)

describe('constraints', () => {
  test('limitsFor_aType_areThoseThatItsValuesMayHave', () => {
    expect(keys('/db/Integer')).toEqual(['min', 'max', 'enum'])
    expect(keys('/db/String')).toEqual(['minLength', 'maxLength', 'pattern', 'enum'])
    expect(keys('/db/collection.List[/db/Integer]')).toEqual(['min', 'max', 'minLength', 'maxLength', 'enum'])
    expect(keys('/db/collection.List[/db/Book]')).toEqual(['minLength', 'maxLength'])
    expect(keys('/db/Book')).toEqual([])
  })

  test('withConstraints_whatTheFieldHad_changesNothing', () => {
    expect(fieldDifferences(PAGES, withConstraints(PAGES, constraintInputOf(PAGES)))).toEqual([])
  })

  test('withConstraints_others_keepWhatIsNoConstraint', () => {
    const after = withConstraints(PAGES, { isRequired: false, limits: { min: ' ', max: ' 9 ' } })

    expect(after.flags).toEqual(['HIDDEN'])
    expect(after.metadata).toEqual({ note: 'of the first edition', 'orestes.max': '9' })
  })

  test('withConstraints_anotherType_dropsThoseThatMakeNoSenseForIt', () => {
    const after = withConstraints({ ...PAGES, type: '/db/String' }, constraintInputOf(PAGES))

    expect(after.metadata).toEqual({ note: 'of the first edition' })
  })
})

describe('differences', () => {
  test('fieldDifferences_typeAndConstraints_areInWords', () => {
    const after = withConstraints(
      { ...PAGES, type: '/db/Double' },
      { isRequired: false, limits: { min: '1', max: '9' } },
    )

    expect(fieldDifferences(PAGES, after)).toEqual([
      { what: 'type', before: 'Integer', after: 'Double' },
      { what: 'constraints', before: 'hidden, min 1, must be set', after: 'hidden, max 9, min 1' },
    ])
  })

  test('permissionDifferences_sameRules_areNone', () => {
    const acl = { load: { '/db/Role/1': 'allow' } } as const

    expect(permissionDifferences(acl, acl, NAMES)).toEqual([])
  })

  test('permissionDifferences_others_nameWhoMay', () => {
    const before = { load: {}, query: { '/db/Role/1': 'allow' } } as const
    const after = { load: { '/db/Role/e': 'allow', '/db/User/ann': 'deny' }, query: {} } as const

    expect(permissionDifferences(before, after, NAMES)).toEqual([
      { what: 'who may load one', before: 'everybody', after: 'editors, but not ann' },
      { what: 'who may query', before: 'admin', after: 'everybody' },
    ])
  })

  test('permissionEffects_openedAndHidden_sayBoth', () => {
    const [opened, hidden] = permissionEffects(
      { delete: { '/db/Role/1': 'allow' }, load: {} },
      { delete: {}, load: { '/db/Role/1': 'allow' } },
    )

    expect(opened).toContain('Everybody may delete')
    expect(hidden).toContain('Shared caches forget')
  })
})

describe('effects', () => {
  test('effectsOf_aRemoval_countWhatIsLost', () => {
    expect(effectsOf(REMOVAL, PAGES, 1234)[0]).toBe('1,234 stored values are deleted for good.')
    expect(effectsOf(REMOVAL, PAGES, 1)[0]).toBe('1 stored value is deleted for good.')
    expect(effectsOf(REMOVAL, PAGES, undefined)[0]).toBe('Stored values are deleted for good.')
  })

  test('effectsOf_anotherType_sayWhetherValuesMayBeLost', () => {
    const field = { ...PAGES, type: '/db/Double' }
    const change = { operation: 'changeField', bucket: '/db/Book', field } as const

    expect(effectsOf(change, PAGES, 2)[0]).toContain('If one does not, nothing changes')
    expect(effectsOf({ ...change, lossy: true }, PAGES, 2)[0]).toContain('becomes unset')
    expect(effectsOf({ ...change, field: PAGES }, PAGES, 2)[0]).toContain('looked at first')
  })
})

describe('for other servers', () => {
  test('migrationOf_aChange_isAFileThatTheCommandTakes', () => {
    const { name, text } = migrationOf(REMOVAL)

    expect(name).toBe('0001-remove-pages-of-book.json')
    expect(JSON.parse(text)).toEqual({ changes: [REMOVAL] })
  })

  test('curlOf_textWithQuotes_staysOneArgument', () => {
    const curl = curlOf({ ...REMOVAL, name: "it's" }, 'http://127.0.0.1:8080')

    expect(curl).toContain('curl -s http://127.0.0.1:8080/v1/schema')
    expect(curl).toContain(String.raw`"name":"it'\''s"}'`)
  })
})

test('isFixed_everyFieldOfBuiltInClasses_isAsTheServerHasThem', () => {
  const own = builtIn.filter((each) => each.class !== '/db/Object')
  const all = own.flatMap((each) => Object.keys(each.fields).map((field) => [each.class.slice(4), field]))

  expect(all.length).toBeGreaterThan(5)
  expect(all.filter(([bucket, field]) => !isFixed(bucket ?? '', field ?? ''))).toEqual([])
  expect(isFixed('Book', 'name')).toBe(false)
})

function classOf(
  name: string,
  types: { readonly [field: string]: string },
  superClass = 'Object',
): ClassInfo {
  const fields = Object.fromEntries(
    Object.entries(types).map(([field, type]) => [field, { name: field, type: `/db/${type}` }]),
  )
  return { class: `/db/${name}`, name, superClass: `/db/${superClass}`, fields, acl: {} }
}

const BOOK = classOf('Book', { title: 'String', sequels: 'collection.List[/db/Book]', by: 'Author' })
const AUTHOR = classOf('Author', { name: 'String' })
const NOVEL = classOf('Novel', { places: 'collection.Map[/db/String,/db/logs.AppLog]' }, 'Book')
const CLASSES = [BOOK, AUTHOR, NOVEL, classOf('logs.AppLog', {}), classOf('Object', {})]

describe('relations', () => {
  test('relationsOf_aClass_areThoseInBothDirections', () => {
    expect(relationsOf(BOOK, CLASSES)).toEqual({
      superClass: undefined,
      extendedBy: ['Novel'],
      refersTo: [
        { field: 'sequels', bucket: 'Book' },
        { field: 'by', bucket: 'Author' },
      ],
      referredToBy: [{ field: 'sequels', bucket: 'Book' }],
    })
    expect(relationsOf(NOVEL, CLASSES)).toMatchObject({
      superClass: 'Book',
      refersTo: [{ field: 'places', bucket: 'logs.AppLog' }],
    })
    expect(relationsOf(AUTHOR, CLASSES).referredToBy).toEqual([{ field: 'by', bucket: 'Book' }])
  })
})

describe('the drop of a class', () => {
  const drop: SchemaChange = { operation: 'removeClass', bucket: '/db/Author' }

  test('dropDifferences_fieldsAndObjects_areGone', () => {
    expect(dropDifferences(AUTHOR, 1200)).toEqual([
      { what: 'fields', before: 'name', after: 'none' },
      { what: 'objects', before: '1,200', after: '0' },
    ])
    expect(dropDifferences(classOf('Empty', {}), 0)).toEqual([])
  })

  test('dropEffects_aClassThatOthersNeed_nameThem', () => {
    const effects = (info: ClassInfo) => dropEffects(info, relationsOf(info, CLASSES))

    expect(effects(AUTHOR).join()).toContain('need the class: Book.by.')
    expect(effects(BOOK).join()).toContain('need the class: Novel.')
    expect(effects(NOVEL)).toHaveLength(1)
  })

  test('migrationOf_aDrop_isNamedAfterTheClass', () => {
    const { name, text } = migrationOf(drop)

    expect(name).toBe('0001-remove-author.json')
    expect(JSON.parse(text)).toEqual({ changes: [drop] })
  })
})

describe('indexes', () => {
  const fields = Object.values(classOf('Shop', { name: 'String', size: 'Integer', place: 'GeoPoint' }).fields)

  test('indexOf_severalFields_hasThemInOrderWithDirections', () => {
    const chosen = [
      { field: 'size', direction: 'desc' },
      { field: '', direction: 'asc' },
      { field: 'place', direction: 'asc' },
      { field: 'size', direction: 'asc' },
    ] as const

    expect(indexOf(chosen, true, fields)).toEqual({
      keys: [{ size: 'desc' }, { name: 'asc' }, { place: 'geo' }],
      unique: true,
    })
  })

  test('indexRequest_theOneOnWords_hasAPathOfItsOwn', () => {
    expect(indexRequest('Shop', TEXT_INDEX, 'add')).toMatchObject({ method: 'PUT', path: '/index/Shop/text' })
    expect(indexRequest('Shop', TEXT_INDEX, 'drop').method).toBe('DELETE')
    const { body = '' } = indexRequest('Shop', { keys: [{ size: 'asc' }], unique: true }, 'drop')
    expect(JSON.parse(body)).toEqual({ keys: [{ size: 'asc' }], unique: true, drop: true })
  })

  test('indexDifferences_aUniqueOne_sayWhatItMeans', () => {
    const index = { keys: [{ size: 'asc' }, { name: 'desc' }], unique: true }

    expect(indexDifferences(index, 'add')).toEqual([
      { what: 'index', before: 'none', after: 'size asc, name desc, unique' },
    ])
    expect(indexEffects(index, 'add').join()).toContain('409')
    expect(indexEffects(index, 'drop').join()).toContain('Values may be there twice')
    expect(indexEffects(TEXT_INDEX, 'drop').join()).toContain('Searches for words')
  })
})
