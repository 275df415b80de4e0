// The options that the contract offers to the command and to `heed/openai`: each argument reaches its option, and the package
// accepts every value within OpenAI's ranges.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportsOf } from '../../tools/contract/load.mjs'
import { describedCalls } from '../support/described_calls.mjs'

const { generate } = await describedCalls()

test('each argument of the command reaches its option', async () => {
  const { samplingOptions } = await exportsOf('bindings/js/cli/options.generated.ts')
  const { generateOptions } = await exportsOf('bindings/js/cli/arguments.ts')
  const values = Object.fromEntries(
    Object.entries(samplingOptions).map(([name, { read }], at) => [
      name,
      read === 'biases' ? ['5=1'] : read === 'texts' ? [`${at + 1}`] : `${at + 1}`,
    ]),
  )
  const converted = generateOptions(values)
  for (const [name, { option, read }] of Object.entries(samplingOptions)) {
    const given = values[name]
    assert.deepEqual(converted[option], read === 'biases' ? new Map([[5, 1]]) : read === 'texts' ? given : Number(given), name)
  }
})

/** Values to try, including ones that readers accept, at the ends of ranges. */
const numbers = [
  -Infinity,
  -101,
  -100,
  -2,
  -1,
  -0.5,
  0,
  1e-9,
  0.1,
  0.5,
  0.99,
  1,
  2,
  10,
  100,
  128,
  1e6,
  2 ** 31 - 1,
  Number.MAX_SAFE_INTEGER,
  Infinity,
  NaN,
]
const attempt = (read, value) => {
  try {
    return { value: read(value, 'option') }
  } catch {
    return undefined
  }
}

test('heed/openai accepts nothing that the package refuses', async () => {
  const { sampling, generateOptions } = await exportsOf('bindings/js/facades/openai/sampling.ts')
  const { n: _, ...parameters } = sampling
  for (const [name, read] of Object.entries(parameters)) {
    const option = name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
    const accepted = [...numbers, 'a', ['a', 'b'], '', [''], { 5: 1 }, { [2 ** 31]: 1 }, { 5: -100 }, { x: 1 }, {}].flatMap(
      value => attempt(read, value) ?? [],
    )
    assert.ok(accepted.length > 1, name)
    for (const { value } of accepted) {
      const [options] = generateOptions({ [name]: value }, {})
      assert.ok(attempt([generate[option]].flat()[0], options[option]), `${name}: ${JSON.stringify(value)}`)
    }
  }
})
