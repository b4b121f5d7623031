/** A program that runs the shell commands of a document, as its reader would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { blocks } from './markdown.js'
import { pathOf } from './repository.js'

/** Address that documents name. */
const PRINTED = '127.0.0.1:8080'

const MAX_MILLIS = 120_000

/**
 * Replaces curl: a request fails on an unexpected status. A stream ends after some seconds and must
 * have had an event.
 */
const CURL = `
set -euo pipefail
allowed=
curl() {
  local argument status=0 streams=no said
  for argument in "$@"; do
    case $argument in --*) ;; -*N*) streams=yes ;; esac
  done
  if [[ $streams == yes ]]; then
    said=$(command curl --max-time 3 "$@") || ((status = $?))
    ((status == 0 || status == 28)) || return "$status"
    printf '%s\\n' "$said"
    [[ $said == *data:* ]] || { echo "no event came" >&2; return 1; }
    return 0
  fi
  command curl --max-time 30 -w '%{stderr}%{http_code}' "$@" 2>"$STATUS_FILE" || status=$?
  said=$(<"$STATUS_FILE")
  ((status == 0)) || { echo "curl ended with $status: $said" >&2; return "$status"; }
  said=\${said: -3}
  [[ $said -lt 400 || " $allowed " == *" $said "* ]] || { echo "answered with $said: $*" >&2; return 1; }
}
`

/** Returns whether a block starts a server and does not return. */
export function startsServer({ text }) {
  return /^\.\/orestes start\b/m.test(text)
}

/** Returns whether a document has commands that need only a server. */
export function hasProgram(markdown) {
  return blocks(markdown, 'sh').some((block) => !startsServer(block))
}

/**
 * Returns the program of a document for a server at an address: all blocks of language "sh" that
 * start no server. Words after the language, such as "412", are the statuses of errors that the
 * requests of a block may be answered with.
 */
export function programOf(markdown, address) {
  return blocks(markdown, 'sh')
    .filter((block) => !startsServer(block))
    .map(({ words, text }) => `allowed='${words}'\n${text.replaceAll(PRINTED, address)}`)
    .concat('for job in $(jobs -p); do wait "$job"; done')
    .join('\n')
}

/** Runs a program with Bash from the root of the repository, for at most two minutes. */
export async function runProgram(program, statusFile) {
  const bash = spawn('bash', ['-c', CURL + program], {
    cwd: pathOf('.'),
    env: { ...process.env, STATUS_FILE: statusFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a process group of its own, which ends with everything that the program has started
    detached: true,
  })
  const parts = []
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => parts.push(part))
  }
  const limit = setTimeout(() => process.kill(-bash.pid, 'SIGKILL'), MAX_MILLIS)
  const [code, signal] = await once(bash, 'close')
  clearTimeout(limit)
  if (code !== 0) throw new Error(`ended with ${code ?? signal}:\n${parts.join('').slice(-4_000)}`)
}
