import { readFileSync } from 'node:fs'

/** The stages of a Dockerfile by name, each a list of `{ instruction, value }`; comments and continued lines are resolved. */
export function stages(file) {
  const lines = readFileSync(file, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
  const found = {}
  let current = []
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const [, instruction, value] = /^([A-Z]+) +(.*)$/.exec(line)
    const name = instruction === 'FROM' && / AS (\S+)$/.exec(value)
    if (name) current = found[name[1]] = []
    current.push({ instruction, value })
  }
  return found
}

/** The values of all these instructions of a stage, in order. */
export function values(stage, instruction) {
  return stage.filter((line) => line.instruction === instruction).map((line) => line.value)
}

/** Returns the files that a stage copies from the context or from another stage. */
export function copies(stage) {
  return values(stage, 'COPY').map((value) => {
    const from = /^--from=(\S+) /.exec(value)
    const [source, target] = value.replace(/^--from=\S+ /, '').split(' ')
    return { from: from ? from[1] : 'context', source, target }
  })
}

/** The variables that a stage sets. */
export function variables(stage) {
  return Object.fromEntries(
    values(stage, 'ENV').flatMap((value) => value.split(' ').map((pair) => pair.split('='))),
  )
}
