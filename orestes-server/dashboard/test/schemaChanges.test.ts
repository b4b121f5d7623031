import { describe, expect, test } from 'vitest'
import builtIn from '../../../schema/classes.json'
import {
  curlOf,
  effectsOf,
  fieldDifferences,
  migrationOf,
  permissionDifferences,
  permissionEffects,
  type SchemaChange,
} from '../src/schema/changes'
import { constraintInputOf, limitsFor, withConstraints } from '../src/schema/constraints'
import { isFixed } from '../src/server/schema'

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
