import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
Bundles this source: bytes that an application loads first, minified, after gzip; and its files.
*/
async function bundled(source) {
  const result = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('../src', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    outdir: '/out',
    write: false,
    metafile: true,
    external: ['react'],
  })
  const outputs = result.metafile.outputs
  const entry = Object.keys(outputs).find((name) => outputs[name].entryPoint === '<stdin>')
  const needed = new Set([entry])
  for (const name of needed) {
    outputs[name].imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .forEach(({ path }) => needed.add(path))
  }
  const files = result.outputFiles.filter(({ path }) =>
    [...needed].some((name) => path.endsWith(name.replace(/^.*\//, '/'))),
  )
  expect(files).toHaveLength(needed.size)
  return {
    bytes: files.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0),
    sources: [...needed].flatMap((name) =>
      Object.entries(outputs[name].inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? path : [],
      ),
    ),
  }
}

it('is at most 15 KB before it is needed for more', async () => {
  const { bytes, sources } = await bundled(`export { connect } from './index.js'`)

  expect(bytes).toBeLessThan(15_000)
  // lazily loaded parts are excluded, except for those that event sources use, too
  expect(sources.filter((each) => /live\/(?!resultList)|transactions\/|httpCache/.test(each))).toEqual([])
  expect(sources.some((each) => each.endsWith('client.ts'))).toBe(true)
})

it('costs an application that only looks up the filter much less', async () => {
  const { bytes } = await bundled(`export { StalenessGuard } from './index.js'`)

  expect(bytes).toBeLessThan(5500)
})

it.each([
  ['react', 'useLive, useObject, OrestesProvider', 2700],
  ['svelte', 'stores', 2400],
  ['optimistic', 'optimistic', 3100],
  ['offline', 'openQueue, webQueue', 5000],
])('adds little with @orestes/sdk/%s', async (entry, names, limit) => {
  const core = `export { connect } from './index.js'`
  const { bytes } = await bundled(core)

  const both = await bundled(`${core}; export { ${names} } from './${entry}.js'`)

  expect(both.bytes - bytes).toBeGreaterThan(0)
  expect(both.bytes - bytes).toBeLessThan(limit)
})
