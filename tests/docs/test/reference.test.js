import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from '../src/reference.js'
import { documents, textOf } from '../src/repository.js'

for (const [file, text] of pages()) {
  test(`${file}_isAsGenerated`, () =>
    assert.equal(textOf(file), text, 'repeat: npm run --prefix tests/docs generate'))
}

test('configuration_hasEveryKey', () => {
  const page = pages().get('docs/reference/configuration.md')
  const missing = JSON.parse(textOf('schema/config.json'))
    .map(({ key }) => key)
    .filter((key) => !page.includes(`| \`--${key}\` |`))

  assert.deepEqual(missing, [])
})

test('flags_inAllDocuments_exist', () => {
  const keys = new Set(JSON.parse(textOf('schema/config.json')).map(({ key }) => key))
  const unknown = documents().flatMap((file) =>
    [
      ...textOf(file).matchAll(
        /--((?:caching|group|http|invalidb|live|query|store|transaction)\.[a-z.-]*[a-z])/g,
      ),
    ]
      .filter(([, key]) => !keys.has(key))
      .map(([flag]) => `${file}: ${flag}`),
  )

  assert.deepEqual(unknown, [])
})
