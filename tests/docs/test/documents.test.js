import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { anchors, blocks, links, sentences, withoutBlocks } from '../src/markdown.js'
import { documents, pathOf, textOf } from '../src/repository.js'

const MAX_WORDS = 28
const MAX_COLUMNS = 100

/** Returns a value that nine of ten do not exceed. */
function ninthDecile(numbers) {
  return numbers.sort((one, other) => one - other)[Math.ceil(numbers.length * 0.9) - 1] ?? 0
}

describe('documents', () => {
  for (const file of documents()) {
    test(`${file}_sentences_haveAtMost${MAX_WORDS}WordsInNineOfTen`, () => {
      const counts = sentences(textOf(file)).map((sentence) => sentence.split(' ').length)

      assert.ok(ninthDecile(counts) <= MAX_WORDS, `the ninth decile is ${ninthDecile(counts)}`)
    })

    test(`${file}_prose_wrapsAt${MAX_COLUMNS}Columns`, () => {
      const long = withoutBlocks(textOf(file))
        .split('\n')
        .map((text, index) => ({ line: index + 1, text }))
        .filter(({ text }) => [...text].length > MAX_COLUMNS && !/^\s*\||https?:|\]\(/.test(text))

      assert.deepEqual(long, [])
    })

    test(`${file}_links_leadToFilesAndHeadings`, () => {
      const broken = links(textOf(file))
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !leads(file, target))

      assert.deepEqual(broken, [])
    })
  }
})

function leads(file, target) {
  const [path, anchor] = target.split('#')
  const found = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(pathOf(found))) return false
  return anchor === undefined || anchors(textOf(found)).includes(anchor)
}

describe('sizes', () => {
  const sizeOf = (file) => Buffer.byteLength(textOf(file))

  test('readme_isReadInAFewMinutes', () =>
    assert.ok(sizeOf('README.md') <= 8 << 10, `${sizeOf('README.md')}`))

  test('architecture_isShortAndHasThreeSequenceDiagrams', () => {
    const diagrams = blocks(textOf('ARCHITECTURE.md'), 'mermaid').filter(({ text }) =>
      text.startsWith('sequenceDiagram'),
    )

    assert.ok(sizeOf('ARCHITECTURE.md') <= 10 << 10, `${sizeOf('ARCHITECTURE.md')}`)
    assert.equal(diagrams.length, 3)
  })

  test('changelog_hasAtMostFortyLines', () =>
    assert.ok(textOf('CHANGELOG.md').trimEnd().split('\n').length <= 40))
})
