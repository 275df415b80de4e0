// Node processes that are killed at random moments while they download, read and write, and whose last file is then cut off: no text is
// wrong, the store can be read, and what was on the disk goes on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import * as heed from 'heed'
import { cutLast, expectedAnswers, inWords, runRounds, startSource } from './rounds.mjs'
import { look } from './writing.mjs'

const program = fileURLToPath(new URL('writer.mjs', import.meta.url))
let given, expected
before(async () => {
  process.env.HEED_MODELS = mkdtempSync(join(tmpdir(), 'heed-kills-'))
  const { hub, source, load } = await startSource()
  given = { hub, source, load: { ...load, threads: 1 } }
  expected = await expectedAnswers()
})
after(async () => {
  await given.hub.close()
  rmSync(process.env.HEED_MODELS, { recursive: true })
})

async function start(argument, hear) {
  const child = spawn(process.execPath, [program, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface(child.stdout).on('line', line => hear(JSON.parse(line)))
  const closed = once(child, 'close')
  const failed = closed.then(([code, signal]) => {
    if (code === 0 || signal === 'SIGKILL') return new Promise(() => {})
    throw new Error(`the writer ended with ${code ?? signal}`)
  })
  return {
    failed,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

const files = () =>
  readdirSync(process.env.HEED_MODELS, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

const rounds = (count, seed, cut) =>
  runRounds({ ...given, expected, count, seed, start, look: argument => look(heed, argument), cut })

test('killed processes', { timeout: 1_200_000 }, async t => {
  t.diagnostic(inWords(await rounds(40, 1), 40))
})

test('killed processes, whose last file is cut off', { timeout: 1_200_000 }, async t => {
  t.diagnostic(inWords(await rounds(30, 2, (random, since) => cutLast(files(), random, since)), 30))
})
