import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { examples, exportsOf, methodsOf, program, ROOT, shownIn, toModule } from './examples.js'

/** Compiles all examples, as files of one program. */
function compiledExamples(texts = examples()) {
  const names = exportsOf(program(new Map()))
  const files = new Map(
    texts.map(({ name, text }, i) => [
      `${ROOT}test/example${i} of ${name.replaceAll('/', ' ')}.ts`,
      toModule(text, names),
    ]),
  )
  return { compiled: program(files), files: [...files.keys()] }
}

/** Returns the public API: exports of entry points, and methods of classes among them. */
function publicThings(compiled) {
  return exportsOf(compiled).flatMap((each) => [each, ...methodsOf(compiled, each)])
}

function notShown({ compiled, files }) {
  const shown = shownIn(compiled, files)
  return publicThings(compiled)
    .filter(({ symbol }) => !symbol.declarations.some((declaration) => shown.has(declaration)))
    .map(({ name }) => name)
}

it('has examples that compile', { timeout: 120_000 }, () => {
  const { compiled, files } = compiledExamples()

  const mistakes = files.flatMap((file) =>
    ts
      .getPreEmitDiagnostics(compiled, compiled.getSourceFile(file))
      .map(
        ({ messageText }) =>
          `${file.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
  )

  expect(files.length).toBeGreaterThan(40)
  expect(mistakes).toEqual([])
})

describe('every public thing', () => {
  it('is described, and classes and functions have an example beside them', { timeout: 120_000 }, () => {
    const compiled = program(new Map())
    const undocumented = publicThings(compiled).filter(
      ({ symbol }) => symbol.getDocumentationComment(compiled.getTypeChecker()).length === 0,
    )
    const withoutExample = exportsOf(compiled).filter(
      ({ symbol }) =>
        (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) !== 0 &&
        !symbol.getJsDocTags().some(({ name }) => name === 'example'),
    )

    expect(undocumented.map(({ name }) => name)).toEqual([])
    expect(withoutExample.map(({ name }) => name)).toEqual([])
  })

  it('is used by an example: methods are called, and of types there is a value', { timeout: 120_000 }, () => {
    expect(notShown(compiledExamples())).toEqual([])
  })

  it('would be missed: what one example alone shows is not shown without it', { timeout: 120_000 }, () => {
    const rest = examples().filter(({ text }) => !text.includes(".dec('lives')"))

    expect(notShown(compiledExamples(rest))).toEqual(expect.arrayContaining(['Update.dec', 'Update.toJSON']))
  })
})
