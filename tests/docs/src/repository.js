/** The documents of this repository. */
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../../', import.meta.url)

/** Returns the absolute path of a file, by its path from the root. */
export function pathOf(file) {
  return fileURLToPath(new URL(file, ROOT))
}

/** Returns the text of a file, by its path from the root. */
export function textOf(file) {
  return readFileSync(pathOf(file), 'utf8')
}

/** Returns the paths of all documents that are under version control, from the root. */
export function documents() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md']
  return execFileSync('git', args, { cwd: pathOf('.'), encoding: 'utf8' })
    .trim()
    .split('\n')
}
