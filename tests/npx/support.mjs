// Helpers of the tests of the package's command, which run its file, as npx does.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'

export const {
  bin: { heed: bin },
  version,
} = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
export const program = inRoot(bin)
export const stories = inRoot('dist/heed-stories.gguf')

export const folder = mkdtempSync(join(tmpdir(), 'heed-npx-'))
after(() => rmSync(folder, { recursive: true }))

/** Writes a file; returns its path. */
export function file(name, content) {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

export const scripted = (name, turns, options) => file(name, scriptedModel(turns, options))

/** Runs the command with this input on stdin. */
export const heedOn = (input, ...args) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', input, cwd: folder, timeout: 60_000 })
export const heed = (...args) => heedOn('', ...args)

/** The standard output of a run that must succeed. */
export function output(...args) {
  const { status, stdout, stderr } = heed(...args)
  assert.equal(status, 0, stderr)
  return stdout
}

/** Checks that a run fails with this status and one line on stderr that matches `message`. */
export function fails(status, message, ...args) {
  const result = heed(...args)
  assert.equal(result.status, status, `heed ${args.join(' ')}: ${result.stderr}`)
  assert.match(result.stderr, /^heed: [^\n]+\n$/)
  assert.match(result.stderr, message)
  assert.equal(result.stdout, '')
}

/** Starts an interactive program: `until` waits for a text in its output, `ended` for its exit. */
export function start(command, args) {
  const child = spawn(command, args, { cwd: folder })
  let written = ''
  let wake = () => {}
  const collect = data => {
    written += data
    wake()
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const ended = new Promise(resolve =>
    child.on('close', (status, signal) => {
      resolve({ status, signal, written })
      wake()
    }),
  )
  after(() => child.kill('SIGKILL'))
  return {
    child,
    ended,
    say: text => child.stdin.write(text),
    /** Waits for a text in the output after the previous one; resolves to the output before it. */
    async until(text) {
      while (!written.includes(text)) {
        if (child.exitCode !== null) assert.fail(`it ended without ${JSON.stringify(text)}: ${JSON.stringify(written)}`)
        await new Promise(resolve => {
          wake = resolve
        })
      }
      const before = written.slice(0, written.indexOf(text))
      written = written.slice(written.indexOf(text) + text.length)
      return before
    },
  }
}

/** The arguments for a model whose answers last for many minutes, so that they are interrupted on any machine. */
export const endless = () => [
  scripted('endless.gguf', ['Words and ', 'other words '], { endless: true, context: 1_000_000 }),
  '--temperature',
  '0',
  '--threads',
  '1',
]
