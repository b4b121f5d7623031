/** The page of `docs/walkthrough.md`, as somebody saves it who follows the document. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const DOCUMENT = new URL('../../../docs/walkthrough.md', import.meta.url)

/** Saves it in this folder, for a server at `base`, and returns the URL of the file. */
export async function savePage(folder, base) {
  const [, html] = /^```html\n(.*?)^```$/ms.exec(await readFile(DOCUMENT, 'utf8'))
  const file = join(folder, 'todos.html')
  await writeFile(file, html.replaceAll('http://127.0.0.1:8080', base))
  return pathToFileURL(file).href
}
