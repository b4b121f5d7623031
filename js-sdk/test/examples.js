import { fileURLToPath } from 'node:url'
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const ENTRIES = ['index', 'cache', 'offline', 'optimistic', 'react', 'svelte', 'types']

const OPTIONS = {
  ...ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  ).options,
  noUnusedLocals: false,
  verbatimModuleSyntax: false,
}

/** Declarations that examples presuppose, each unless the example declares it itself. */
export const GIVEN = {
  Todo: 'interface Todo { text: string; done: boolean; priority: number; tags: string[]; owner: sdk.Ref<{ username: string }> }',
  db: 'declare const db: sdk.Client<{ Todo: Todo }>',
  todos: 'declare const todos: sdk.Bucket<Todo>',
  todo: 'declare const todo: sdk.Stored<Todo>',
  milk: 'declare const milk: sdk.Stored<Todo>',
  error: 'declare const error: unknown',
  show: 'declare const show: (value: unknown) => void',
  showLogin: 'declare const showLogin: () => void',
  showTools: 'declare const showTools: () => void',
  from: 'declare const from: (live: { subscribe: unknown }) => { pipe: (step: unknown) => { subscribe: (listener: (value: unknown) => void) => void } }',
  debounceTime: 'declare const debounceTime: (millis: number) => unknown',
}

/** The output of `orestes types`, as far as examples use it. */
const WRITTEN = [
  `${ROOT}test/db.d.ts`,
  'export interface Schema { Todo: { text: string | null; done: boolean | null } }',
]

/** Examples in comments and in the README: between three backquotes and a "ts" or "js". */
export function examples() {
  const sources = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return [...sources.map((name) => `src/${name}`), 'README.md'].flatMap((name) =>
    [...readFileSync(ROOT + name, 'utf8').matchAll(/```[jt]s\n(.*?)```/gs)].map(([, text = ''], i) => ({
      name: `${name} ${i + 1}`,
      text,
    })),
  )
}

/**
Returns an example as a file, with undeclared names of the SDK and the presupposed declarations.
*/
export function toModule(text, exported) {
  const declared = new Set(declaredIn(text))
  const lacks = (name) => !declared.has(name) && new RegExp(`\\b${name}\\b`).test(text)
  const given = Object.keys(GIVEN).filter(lacks)
  const needsTodo = !declared.has('Todo') && given.length > 0 && !given.includes('Todo')
  return [
    `import * as sdk from '@orestes/sdk'`,
    ...exported
      .filter(({ name }) => lacks(name))
      .map(({ name, from }) => `import { ${name} } from '${from}'`),
    ...(needsTodo ? [GIVEN.Todo] : []),
    ...given.map((name) => GIVEN[name]),
    text,
    'export {}',
  ].join('\n')
}

export function declaredIn(text) {
  const places = text.matchAll(
    /\b(?:const|let|interface|type)\s+(\{[^}]*\}|\[[^\]]*\]|\w+)|import (\{[^}]*\})/g,
  )
  return [...places].flatMap(([, declared = '', imported = '']) => (declared + imported).match(/\w+/g) ?? [])
}

export function program(given) {
  const files = new Map([...given, WRITTEN])
  const host = ts.createCompilerHost(OPTIONS)
  const [read, exists] = [host.getSourceFile.bind(host), host.fileExists.bind(host)]
  host.getSourceFile = (name, version) => {
    const text = files.get(name)
    return text === undefined ? read(name, version) : ts.createSourceFile(name, text, version)
  }
  host.fileExists = (name) => files.has(name) || exists(name)
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      if (text === './db.js') return { resolvedModule: { resolvedFileName: WRITTEN[0], extension: '.d.ts' } }
      const entry = /^@orestes\/sdk(?:\/(.*))?$/.exec(text)
      return entry
        ? { resolvedModule: { resolvedFileName: `${ROOT}src/${entry[1] ?? 'index'}.ts`, extension: '.ts' } }
        : ts.resolveModuleName(text, containing, OPTIONS, host, undefined, undefined, ts.ModuleKind.ESNext)
    })
  return ts.createProgram([...files.keys(), ...ENTRIES.map((name) => `${ROOT}src/${name}.ts`)], OPTIONS, host)
}

/** Returns the exports of each entry point: name, origin and kind. */
export function exportsOf(compiled) {
  const checker = compiled.getTypeChecker()
  const all = ENTRIES.flatMap((entry) => {
    const module = checker.getSymbolAtLocation(compiled.getSourceFile(`${ROOT}src/${entry}.ts`))
    return checker.getExportsOfModule(module).map((symbol) => ({
      name: symbol.name,
      from: entry === 'index' ? '@orestes/sdk' : `@orestes/sdk/${entry}`,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
  })
  // several entry points may export one name
  return all.filter(({ name }, i) => all.findIndex((each) => each.name === name) === i)
}

/**
Returns what the files use: the declarations of all names and calls, and of the types of all values
in them.
*/
export function shownIn(compiled, files) {
  const checker = compiled.getTypeChecker()
  const shown = new Set()
  const seen = new Set()
  const show = (symbol) => symbol?.declarations?.forEach((declaration) => shown.add(declaration))
  const showType = (type) => {
    if (type === undefined || seen.has(type)) return
    seen.add(type)
    show(type.aliasSymbol)
    show(type.symbol)
    const isReference = (type.objectFlags ?? 0) & ts.ObjectFlags.Reference
    const parts = [type.types, type.aliasTypeArguments, isReference && checker.getTypeArguments(type)]
    const declared = type.target ?? type
    const bases = declared.isClassOrInterface?.() ? checker.getBaseTypes(declared) : []
    ;[...parts, bases].forEach((each) => each && each.forEach(showType))
  }
  const visit = (node) => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    show(symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
    if (ts.isForOfStatement(node) && node.awaitModifier) iterated(checker, node).forEach(show)
    if (ts.isCallExpression(node)) shown.add(checker.getResolvedSignature(node)?.declaration)
    if (ts.isExpression(node))
      [checker.getTypeAtLocation(node), checker.getContextualType(node)].forEach(showType)
    ts.forEachChild(node, visit)
  }
  files.forEach((file) => ts.forEachChild(compiled.getSourceFile(file), visit))
  return shown
}

/** Returns the methods that a loop calls implicitly. */
function iterated(checker, loop) {
  const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(loop.expression))
  return properties.filter(({ name }) => name.startsWith('__@asyncIterator'))
}

/** Returns the public methods of an exported class. */
export function methodsOf(compiled, { name, symbol }) {
  if (!(symbol.flags & ts.SymbolFlags.Class)) return []
  const all = compiled.getTypeChecker().getDeclaredTypeOfSymbol(symbol).getProperties()
  return all.flatMap((method) => {
    const [declaration] = method.declarations
    const isHidden =
      ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Protected | ts.ModifierFlags.Private)
    const isOurs = declaration.getSourceFile().fileName.startsWith(`${ROOT}src/`)
    const isInternal = method.getJsDocTags().some((tag) => tag.name === 'internal')
    const isPublic = isOurs && !isHidden && !isInternal && !ts.isPrivateIdentifier(declaration.name)
    return method.flags & ts.SymbolFlags.Method && isPublic
      ? [{ name: `${name}.${method.name}`, symbol: method }]
      : []
  })
}
