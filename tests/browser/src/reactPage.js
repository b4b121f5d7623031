/** A small application of React and the SDK, rendered in Node and hydrated by a page. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import * as sdk from '../../../js-sdk/dist/react.js'
import { createApp } from './reactApp.js'

// React and the bundler are those that the SDK is tested with
const require = createRequire(new URL('../../../js-sdk/package.json', import.meta.url))

/** The page's document, with what `takeSnapshot` loaded for this client; its script connects to `api`. */
export async function renderPage(db, { api, group, id }) {
  const React = require('react')
  const { renderToString } = require('react-dom/server')
  const snapshot = await sdk.takeSnapshot(db, db.bucket('Item').find({ group }).sort({ name: 1 }), id)
  const app = createApp(React.createElement, sdk)({ db, snapshot, group, id })
  const given = JSON.stringify({ api, group, id, snapshot }).replaceAll('<', '\\u003c')
  return `<!doctype html><meta charset="utf-8"><title>rendered</title><link rel="icon" href="data:,">
    <div id="root">${renderToString(app)}</div>
    <script>window.given = ${given}; window.rendered = document.querySelector('li')</script>
    <script type="module">${await bundled()}</script>`
}

async function bundled() {
  const { outputFiles } = await require('esbuild').build({
    stdin: { contents: SCRIPT, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    nodePaths: [fileURLToPath(new URL('../../../js-sdk/node_modules', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    // the development build complains when hydration differs from the server's markup
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles[0].text.replaceAll('</script', '<\\/script')
}

const SCRIPT = `
import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { connect } from '../../../js-sdk/dist/index.js'
import * as sdk from '../../../js-sdk/dist/react.js'
import { createApp } from './reactApp.js'

const { api, ...given } = window.given
const db = await connect(api)
hydrateRoot(document.querySelector('#root'), createApp(createElement, sdk)({ db, ...given }))
`
