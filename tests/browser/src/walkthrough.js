/** Saves the files that a document shows, as its reader would. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = new URL('../../../', import.meta.url)

/** Saves the page in this folder, for a server at `base`, and returns the URL of the file. */
export async function savePage(folder, base, document = 'docs/walkthrough.md') {
  return pathToFileURL(await saveBlock('html', join(folder, 'todos.html'), base, document)).href
}

/** Saves the document's first block of a language as a file, for a server at `base`. */
export async function saveBlock(language, file, base, document) {
  const text = await readFile(new URL(document, ROOT), 'utf8')
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text)
  await writeFile(file, block.replaceAll('http://127.0.0.1:8080', base))
  return file
}
