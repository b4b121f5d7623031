import ts from 'typescript'
import { expect, it } from 'vitest'
import { examples, exportsOf, program, ROOT, toModule } from './examples.js'

it('has examples that compile', { timeout: 120_000 }, () => {
  const names = exportsOf(program(new Map()))
  const files = new Map(
    examples().map(({ name, text }, i) => [
      `${ROOT}test/example${i} of ${name.replaceAll('/', ' ')}.ts`,
      toModule(text, names),
    ]),
  )
  const compiled = program(files)

  const mistakes = [...files.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(compiled, compiled.getSourceFile(file))
      .map(
        ({ messageText }) =>
          `${file.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
  )

  expect(files.size).toBeGreaterThan(40)
  expect(mistakes).toEqual([])
})

it(
  'says what each public thing is, and shows how functions and classes are used',
  { timeout: 120_000 },
  () => {
    const compiled = program(new Map())
    const all = exportsOf(compiled)
    const undocumented = all.filter(
      ({ symbol }) => symbol.getDocumentationComment(compiled.getTypeChecker()).length === 0,
    )
    const withoutExample = all.filter(
      ({ symbol }) =>
        (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) !== 0 &&
        !symbol.getJsDocTags().some(({ name }) => name === 'example'),
    )

    expect(undocumented.map(({ name }) => name)).toEqual([])
    expect(withoutExample.map(({ name }) => name)).toEqual([])
  },
)
