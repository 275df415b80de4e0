// Tasks on three lanes: dependencies, parallelism, and the effects of a failure.
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { runInLanes } from '../../tools/running/lanes.mjs'

const cores = availableParallelism()
const half = Math.max(1, Math.floor(cores / 2))
const severalLanes = { skip: cores < 2 && 'one core has one lane' }

/** A task that ends on demand. */
function held(needs = []) {
  const began = Promise.withResolvers()
  const { promise, resolve: end } = Promise.withResolvers()
  return {
    task: {
      needs,
      run: jobs => {
        began.resolve(jobs)
        return promise
      },
    },
    began: began.promise,
    end,
  }
}

test('a task gets the values of the tasks that it needs', async () => {
  const results = await runInLanes({
    sum: { needs: ['one', 'two'], run: (jobs, { one, two }, name) => `${name} ${one + two}` },
    one: { run: () => 1 },
    two: { run: async () => 2 },
  })
  assert.equal(results.sum.value, 'sum 3')
})

test('three tasks run at a time, each on half of the cores, and the last one on all', severalLanes, async () => {
  const [a, b, c, d] = [held(), held(), held(), held()]
  const running = runInLanes({ a: a.task, b: b.task, c: c.task, d: d.task })
  assert.deepEqual(await Promise.all([a.began, b.began, c.began]), [half, half, half])
  let fourth = false
  d.began.then(() => {
    fourth = true
  })
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(fourth, false)
  a.end()
  assert.equal(await d.began, half, 'b and c are still running')
  for (const { end } of [b, c, d]) end()
  await running
  const alone = held()
  const last = runInLanes({ alone: alone.task })
  assert.equal(await alone.began, cores)
  alone.end()
  await last
})

test('a light task takes no lane', async () => {
  const light = Array.from({ length: 3 }, () => held())
  const heavy = held()
  const running = runInLanes({
    ...Object.fromEntries(light.map(({ task }, index) => [`light ${index}`, { ...task, light: true }])),
    heavy: heavy.task,
  })
  await Promise.all([...light, heavy].map(({ began }) => began))
  for (const { end } of [...light, heavy]) end()
  await running
})

test('a task that needs a failed one does not run, and says why; the rest runs', async () => {
  let ran = 0
  const results = await runInLanes({
    broken: {
      run() {
        throw new Error('no disk')
      },
    },
    next: { needs: ['broken'], run: () => ran++ },
    last: { needs: ['next'], run: () => ran++ },
    other: { run: () => 'fine' },
  })
  assert.equal(results.broken.error.message, 'no disk')
  assert.match(results.next.error.message, /needs "broken"/)
  assert.match(results.last.error.message, /needs "next"/)
  assert.deepEqual([ran, results.other.value], [0, 'fine'])
})

test('a stopped run has the results of the tasks that have ended', async () => {
  const [first, second] = [held(), held()]
  const stop = new AbortController()
  const running = runInLanes(
    { first: first.task, second: { ...second.task, needs: ['first'] }, third: { needs: ['second'], run() {} } },
    stop.signal,
  )
  first.end('done')
  await second.began
  stop.abort()
  const results = await running
  second.end()
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual([Object.keys(results), results.first.value], [['first'], 'done'])
})

test('needs in a circle are an error that names the tasks', () =>
  assert.rejects(runInLanes({ a: { needs: ['b'], run() {} }, b: { needs: ['a'], run() {} } }), /circle.*a, b/))
