#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { argv, env, exit, stderr, stdout } from 'node:process'
import { readTypes } from '../dist/types.js'

const USAGE = `usage: orestes types URL [FILE]

Writes the classes of a running server as TypeScript, to FILE or to the standard output:

  orestes types http://127.0.0.1:8080 > src/db.d.ts

Where not everybody may see the schema, ORESTES_TOKEN has the token of somebody who may.
`

const [command, url, file, ...rest] = argv.slice(2)
if (argv.includes('--help')) {
  stdout.write(USAGE)
} else if (command !== 'types' || url === undefined || url.startsWith('-') || rest.length > 0) {
  stderr.write(USAGE)
  exit(2)
} else {
  await types()
}

async function types() {
  try {
    const text = await readTypes(url, { token: env.ORESTES_TOKEN })
    await (file === undefined ? stdout.write(text) : writeFile(file, text))
  } catch (error) {
    stderr.write(`orestes: ${error.message}\n`)
    exit(1)
  }
}
