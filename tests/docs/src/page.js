/** A program that runs the shell commands of a document, as its reader would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { blocks } from './markdown.js'
import { pathOf } from './repository.js'

/** Address that documents name. */
const PRINTED = '127.0.0.1:8080'

const MAX_MILLIS = 120_000

/**
 * Replaces curl: a request fails on an unexpected status, and a stream without an event. Failures
 * of streams in the background are found at the end. A block ends with the errors that it names.
 */
const CURL = `
set -euo pipefail
allowed= wanted=
curl() {
  local argument status=0 streams=no said
  for argument in "$@"; do
    case $argument in --*) ;; -*N*) streams=yes ;; esac
  done
  if [[ $streams == yes ]]; then
    said=$(command curl --max-time 3 "$@") || ((status = $?))
    printf '%s\\n' "$said"
    if ((status != 0 && status != 28)) || [[ $said != *$wanted* ]]; then
      echo "a stream ended with $status, and without $wanted: $*" >>"$SCRATCH/failures"
    fi
    return 0
  fi
  command curl --max-time 30 -w '%{stderr}%{http_code}' "$@" 2>"$SCRATCH/status" || status=$?
  said=$(<"$SCRATCH/status")
  ((status == 0)) || { echo "curl ended with $status: $said" >&2; return "$status"; }
  said=\${said: -3}
  [[ $said =~ ^[1-5][0-9][0-9]$ ]] || { echo "without a status: $*" >&2; return 1; }
  ((said < 400)) && return 0
  echo "$said" >>"$SCRATCH/errors"
  [[ " $allowed " == *" $said "* ]] || { echo "answered with $said: $*" >&2; return 1; }
}
begin_block() {
  allowed=$1 wanted=$2
  : >"$SCRATCH/errors"
}
end_block() {
  local status
  for status in $allowed; do
    grep -qx "$status" "$SCRATCH/errors" || { echo "no request was answered with $status" >&2; return 1; }
  done
}
end_page() {
  wait
  [[ ! -s $SCRATCH/failures ]] || { cat "$SCRATCH/failures" >&2; return 1; }
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
 * start no server. Words after the language are the statuses of errors that requests of the block
 * are answered with, and "match" if its streams get an event.
 */
export function programOf(markdown, address) {
  return blocks(markdown, 'sh')
    .filter((block) => !startsServer(block))
    .map(({ words, text }) => blockOf(words.split(' ').filter(Boolean), text.replaceAll(PRINTED, address)))
    .concat('end_page')
    .join('\n')
}

function blockOf(words, text) {
  const errors = words.filter((word) => word !== 'match').join(' ')
  const wanted = words.includes('match') ? 'event: match' : 'data:'
  return `begin_block '${errors}' '${wanted}'\n${text}end_block`
}

/**
 * Runs a program with Bash from the root of the repository, for at most two minutes. It and what it
 * has started end with this process, too.
 *
 * @param folder a folder for its temporary files
 */
export async function runProgram(program, folder) {
  const bash = spawn('bash', ['-c', CURL + program], {
    cwd: pathOf('.'),
    env: { ...cleanEnvironment(), SCRATCH: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a process group of its own, which ends with everything that the program has started
    detached: true,
  })
  const parts = []
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => parts.push(part))
  }
  const kill = () => killGroup(bash.pid)
  const limit = setTimeout(kill, MAX_MILLIS)
  process.once('exit', kill)
  const [code, signal] = await once(bash, 'close')
  clearTimeout(limit)
  process.off('exit', kill)
  kill()
  if (code !== 0) throw new Error(`ended with ${code ?? signal}:\n${parts.join('').slice(-4_000)}`)
}

function killGroup(group) {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // all of it has ended
  }
}

/** Returns the environment without settings of servers, which could name a database in use. */
export function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ORESTES_')))
}
