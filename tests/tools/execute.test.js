// Programs that the tools run: they end together with everything that they have started.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { execute, stopPrograms } from '../../tools/running/execute.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-execute-'))
after(() => rmSync(folder, { recursive: true }))

/** A shell that waits for a program of its own, which holds the log open: only once both have ended is there a status. */
const waitsForAnother = ['sh', ['-c', 'sleep 100000 & echo begun; wait']]

test('a program that is stopped leaves none behind', async () => {
  const log = join(folder, 'stopped.log')
  const { status } = await execute(...waitsForAnother, { log, check: false, onLine: line => line === 'begun' && stopPrograms() })
  assert.equal(status, 'SIGTERM')
})

test('a program that says nothing for too long is ended', async () => {
  const log = join(folder, 'silent.log')
  const { status } = await execute(...waitsForAnother, { log, check: false, silenceMs: 100 })
  assert.equal(status, 'silent')
  await assert.rejects(execute(...waitsForAnother, { log, silenceMs: 100 }), /^Error: sh ended with silent\n/)
})

test('a program ends with the status it has, and its output is in the log', async () => {
  const log = join(folder, 'status.log')
  const { status } = await execute('sh', ['-c', 'echo one; echo two >&2; exit 3'], { log, check: false, silenceMs: 100_000 })
  assert.equal(status, 3)
  assert.deepEqual(
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(line => /^(one|two)$/.test(line))
      .sort(),
    ['one', 'two'],
  )
  await assert.rejects(execute('no-such-program', [], { log }), { code: 'ENOENT' })
})
