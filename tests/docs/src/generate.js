/** Writes the generated pages. */
import { writeFileSync } from 'node:fs'
import { pages } from './reference.js'
import { pathOf } from './repository.js'

for (const [file, text] of pages()) writeFileSync(pathOf(file), text)
