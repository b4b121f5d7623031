import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { copies, stages, values, variables } from '../src/dockerfile.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path) => readFileSync(join(ROOT, path), 'utf8')

const text = read('compose/compose.yaml')
const compose = parse(text)
const dockerfile = stages(join(ROOT, 'compose/Dockerfile'))
const { server, varnish } = compose.services

const variable = (key) => 'ORESTES_' + key.toUpperCase().replace(/[.-]/g, '_')
const serverKeys = JSON.parse(read('schema/config.json')).map(({ key }) => variable(key))
const varnishKeys = read('orestes-server/launcher/varnish.sh').match(/\bORESTES_[A-Z_]+/g)

const names = (object) => Object.keys(object).filter((name) => name.startsWith('ORESTES_'))

test('every setting of the server is a configuration key', () => {
  const used = [...names(server.environment), ...names(variables(dockerfile.server))]
  assert.ok(used.length >= 4)
  for (const name of used) assert.ok(serverKeys.includes(name), name)
})

test('every setting of Varnish is one that its launcher reads', () => {
  const used = [...names(varnish.environment), ...names(variables(dockerfile.varnish))]
  assert.ok(used.length >= 4)
  for (const name of used) assert.ok(varnishKeys.includes(name), name)
})

test('the sample names exactly the variables that the compose file takes from it, with the same defaults', () => {
  const taken = [...text.matchAll(/\$\{(\w+)(?::-([^}]*))?/g)].map(
    ([, name, fallback]) => `${name}=${fallback ?? ''}`,
  )
  const sample = [...read('compose/env.sample').matchAll(/^\w+=.*$/gm)].map(([line]) => line)
  assert.deepEqual(sample.sort(), [...new Set(taken)].sort())
})

test('both images are built from stages that exist, from the root folder', () => {
  for (const { build } of [server, varnish]) {
    assert.equal(join(ROOT, 'compose', build.context, 'orestes'), join(ROOT, 'orestes'))
    assert.ok(existsSync(join(ROOT, build.dockerfile)))
    assert.ok(dockerfile[build.target], build.target)
  }
})

test('everything that is copied exists, or another stage builds it', () => {
  const ignored = read('compose/Dockerfile.dockerignore').trim().split('\n')
  const all = Object.values(dockerfile).flatMap(copies)
  assert.ok(all.length >= 5)
  for (const { from, source } of all) {
    if (from !== 'context') assert.ok(dockerfile[from] && source.startsWith('/'), source)
    else assert.ok(existsSync(join(ROOT, source)) && !ignored.includes(source.split('/')[0]), source)
  }
})

test('the ports of server, Varnish, health checks and mapping fit', () => {
  const serverPort = variables(dockerfile.server).ORESTES_PORT
  const varnishPort = variables(dockerfile.varnish).ORESTES_LISTEN.split(':')[1]
  assert.equal(varnish.environment.ORESTES_BACKEND, `server:${serverPort}`)
  assert.match(varnish.ports[0], new RegExp(`:${varnishPort}$`))
  for (const [stage, port] of [
    [dockerfile.server, serverPort],
    [dockerfile.varnish, varnishPort],
  ]) {
    assert.deepEqual(values(stage, 'EXPOSE'), [port])
    assert.match(values(stage, 'HEALTHCHECK')[0], new RegExp(`http://127.0.0.1:${port}/v1/-/ready"`))
  }
})

test('only Varnish is published, and only on loopback by default', () => {
  assert.equal(server.ports, undefined)
  assert.match(varnish.ports[0], /:-127\.0\.0\.1:\d+}/)
})

test('data are in a declared volume, where the server stores them', () => {
  const folder = variables(dockerfile.server).ORESTES_DATA
  assert.deepEqual(server.volumes, [`data:${folder}`])
  assert.deepEqual(values(dockerfile.server, 'VOLUME'), [folder])
  assert.ok('data' in compose.volumes)
})

test('neither image runs as root', () => {
  for (const stage of [dockerfile.server, dockerfile.varnish]) {
    const user = values(stage, 'USER').at(-1)
    assert.ok(user && user !== 'root' && user !== '0', user)
  }
})

test('Varnish starts from nothing but the files that its image gets', async (t) => {
  const image = mkdtempSync(join(tmpdir(), 'orestes-image-'))
  t.after(() => rmSync(image, { recursive: true }))
  for (const { source, target } of copies(dockerfile.varnish)) {
    cpSync(join(ROOT, source), join(image, target), { recursive: true })
  }
  const [program, ...command] = JSON.parse(values(dockerfile.varnish, 'ENTRYPOINT')[0])
  assert.ok(existsSync(join(image, dirname(program), 'varnish/default.vcl')))

  const child = spawn(
    join(image, program),
    [...command, '--listen', '127.0.0.1:0', '--backend', '127.0.0.1:9'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise((resolve) => child.on('exit', resolve))
  t.after(() => child.kill())
  const lines = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith('ready on http://127.0.0.1:')) child.kill('SIGTERM')
  }

  assert.equal(lines.length, 1)
  assert.equal(await ended, 0)
})
