// Locks between processes: who holds them, and which programs inherit them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { heldLocks, withLock } from '../../tools/running/lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-locks-'))
after(() => rmSync(folder, { recursive: true }))

test('programs inherit the locks of the task that starts them, not of tasks beside it', async () => {
  assert.deepEqual(heldLocks(), [])
  let goOn
  let later
  await withLock(join(folder, 'one'), async () => {
    const [outer] = heldLocks()
    await Promise.all([
      withLock(join(folder, 'two'), () => assert.equal(heldLocks().length, 2)),
      withLock(join(folder, 'three'), () => assert.equal(heldLocks().length, 2)),
    ])
    assert.deepEqual(heldLocks(), [outer])
    later = new Promise(resolve => {
      goOn = resolve
    }).then(heldLocks)
  })
  assert.deepEqual(heldLocks(), [])
  goOn()
  assert.deepEqual(await later, [], 'what goes on after the lock is released')
})

test('one call at a time has a lock, and the next one goes on after an error', async () => {
  const order = []
  const hold = (name, fails) =>
    withLock(join(folder, 'one'), async () => {
      order.push(`${name} begins`)
      await new Promise(setImmediate)
      order.push(`${name} ends`)
      if (fails) throw new Error(name)
    })
  const results = await Promise.allSettled([hold('a', true), hold('b', false)])
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends'])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
})
