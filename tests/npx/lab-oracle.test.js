// heed lab against the oracle of ../shared/lab2, part by part: values inside a pass, sweeps, features, values of many texts, two files.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { inRoot } from '../../tools/paths.mjs'
import { differenceOf } from '../support/lab.mjs'
import { pythonOracle } from '../support/python_oracle.mjs'
import { folder, output, program, start } from './support.mjs'

const { oracle, needsOracle } = pythonOracle('lab2')

const socket = join(folder, 'service')
let service

before(async () => {
  if (needsOracle.skip) return
  // The oracle calls a program with commands that are those of `heed lab`, without that word.
  const workerData = { socket, program, words: ['lab'], folder }
  service = new Worker(new URL('command_service.mjs', import.meta.url), { workerData })
  await once(service, 'message')
})
after(() => service?.terminate())

/** Checks a part; resolves to the lines about failures, and the last one, which counts. */
async function check(part) {
  process.env.HEED_SERVICE = socket
  const client = inRoot('tests/npx/command_client.py')
  const { status, written } = await start('python3', [join(oracle, 'check.py'), client, oracle, '--parts', part, '-q']).ended
  const lines = written.trim().split('\n')
  const count = lines.pop()
  assert.match(count, /^\d+ of [1-9]\d* passed; /, written)
  assert.equal(status, lines.length > 0 ? 1 : 0, written)
  return { failures: lines, count }
}

for (const part of ['sweep', 'attribute', 'features', 'steer', 'effect', 'bad', 'collect', 'probe', 'examples', 'compare']) {
  test(`${part} as in the oracle`, needsOracle, async context => {
    const { failures, count } = await check(part)
    assert.deepEqual(failures, [])
    context.diagnostic(count)
  })
}

/** The points of heads whose rows Heed sorts if RoPE rotates neighbors, and the oracle does not. */
const sorted = ['q', 'k', 'q_rot', 'k_rot']

test('trace as in the oracle, except for the order within queries and keys', needsOracle, async context => {
  const { failures, count } = await check('trace')
  const names = failures.map(line => line.match(/^FAIL trace (.*?): /)?.[1] ?? line)
  assert.deepEqual(
    names,
    sorted.map(name => `llama / ${name}`),
  )
  context.diagnostic(count)
})

test('that order is the first of each pair of neighbors, then the second of each', needsOracle, () => {
  const { base, tokens, points } = JSON.parse(readFileSync(join(oracle, 'trace/llama.json'), 'utf8'))
  const numbers = path => new Float32Array(new Uint8Array(readFileSync(path)).buffer)
  const expected = numbers(join(oracle, 'trace/llama.f32'))
  const asked = points.filter(({ name }) => sorted.includes(name.split('.')[0]))
  assert.ok(asked.length >= 2 * sorted.length)
  const out = join(folder, 'sorted.f32')
  const list = asked.map(({ name }) => name).join()
  output('lab', 'trace', join(oracle, base), '--tokens', tokens.join(), '--points', list, '--out', out)
  const actual = numbers(out)
  let from = 0
  for (const { name, shape, at } of asked) {
    const [size, count] = [shape.at(-1), shape.reduce((product, length) => product * length)]
    const placeOf = index => ((index % size) >> 1) + ((index % 2) * size) / 2
    const rows = actual.subarray(from, (from += count))
    const inPairs = rows.map((_, index) => rows[index - (index % size) + placeOf(index)])
    const difference = differenceOf(inPairs, expected.subarray(at, at + count))
    assert.ok(difference < 3e-5, `${name}: ${difference}`)
  }
  assert.equal(from, actual.length)
})
