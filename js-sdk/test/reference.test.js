import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it(
  'is made without a warning: every link leads somewhere, nothing public is left out',
  { timeout: 120_000 },
  async () => {
    const cwd = fileURLToPath(new URL('..', import.meta.url))

    const { stdout } = await promisify(execFile)('npx', ['typedoc', '--emit', 'none'], {
      cwd,
      timeout: 110_000,
    })

    expect(stdout).not.toMatch(/warning|error/)
  },
)
