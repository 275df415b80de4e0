// The options of `generate` and `chat` have one description, bindings/js/page/options.ts. The interfaces that offer them under other
// names, and the command, convert; so a new option is offered by each of them, or is named here as one that it leaves out, and whatever
// they accept the description accepts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { rolldown } from 'rolldown'
import { inRoot } from '../../tools/paths.mjs'
import { describedCalls } from '../support/described_calls.mjs'

const { generate, chat } = await describedCalls()
const camel = (name, separator) => name.replace(new RegExp(`${separator}(.)`, 'g'), (_, letter) => letter.toUpperCase())

/** The exports of a source of the package. */
async function exportsOf(path) {
  const bundle = await rolldown({
    input: inRoot('bindings/js', path),
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  const {
    output: [{ code }],
  } = await bundle.generate({ format: 'es' })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Checks that some options are all of a call but those that are left out. */
function assertAllBut(leftOut, offered, call) {
  assert.deepEqual(
    [...new Set(offered)].sort(),
    Object.keys(call)
      .filter(name => !leftOut.includes(name))
      .sort(),
  )
  for (const name of leftOut) assert.ok(Object.hasOwn(call, name), `${name} is no option`)
}

/** How a text becomes tokens, how results look, and what only JavaScript has: signals, callbacks, values that refer to a model. */
const code = ['signal', 'onProgress', 'attention', 'adapters', 'edits', 'constraint', 'choices']
/** How schemas are written; the command and requests of `heed/openai` offer the first two. */
const schemas = ['whitespace', 'closed', 'maxWhitespace', 'order', 'formats', 'escapes', 'schemas']

test('the command offers the options of sampling and of forms', async () => {
  const { samplingArguments, generateOptions } = await exportsOf('cli/arguments.ts')
  const { formArguments } = await exportsOf('cli/form.ts')
  const names = Object.keys({ ...samplingArguments, ...formArguments }).map(name => camel(name, '-'))
  assertAllBut(
    [
      ...code,
      ...schemas.slice(2),
      'addSpecial',
      'parseSpecial',
      'special',
      'stopAtEnd',
      'topLogprobs',
      'speculate',
      'contextShift',
    ],
    names,
    generate,
  )
  // Each argument reaches the option of its name.
  const values = Object.fromEntries(
    Object.entries(samplingArguments).map(([name, { multiple }], at) => [
      name,
      name === 'logit-bias' ? ['5=1'] : multiple ? [`${at + 1}`] : `${at + 1}`,
    ]),
  )
  const converted = generateOptions(values)
  for (const [name, given] of Object.entries(values)) {
    const option = camel(name, '-')
    assert.deepEqual(
      converted[option],
      option === 'logitBias' ? new Map([[5, 1]]) : option === 'stop' ? given : Number(given),
      name,
    )
  }
})

/** Values to try: those that readers accept are among them, at the ends of ranges, too. */
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

test('heed/openai offers the options of sampling, and accepts nothing that the package refuses', async () => {
  const { sampling, generateOptions } = await exportsOf('facades/openai/sampling.ts')
  const { n: _, ...parameters } = sampling
  assertAllBut(
    [
      ...code,
      ...schemas,
      'jsonSchema',
      'regex',
      'grammar',
      'maxTokens',
      'addSpecial',
      'parseSpecial',
      'special',
      'stopAtEnd',
      'topLogprobs',
      'speculate',
      'contextShift',
      'penaltyWindow',
    ],
    Object.keys(parameters).map(name => camel(name, '_')),
    generate,
  )
  for (const [name, read] of Object.entries(parameters)) {
    const option = camel(name, '_')
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

test("heed/ai-sdk offers all options of a chat, as the SDK's or its own", () => {
  const source = readFileSync(inRoot('bindings/js/facades/ai-sdk/options.ts'), 'utf8')
  const own = [
    ...source
      .split('const names')[1]
      .split('\n}\n')[0]
      .matchAll(/(\w+): true/g),
  ].map(([, name]) => name)
  const standard = [
    ...source
      .split('    options: {')[1]
      .split('\n    },')[0]
      .matchAll(/^ {6}(?:\.\.\.\(\w+ && \{ )?(\w+)(?::|,$)/gm),
  ].map(([, name]) => name)
  assertAllBut([...code, 'schemas', 'regex', 'grammar', 'maxSteps', 'onToken'], [...own, ...standard], chat)
})

test('heed/prompt-api offers options of a chat by their names', () => {
  const source = readFileSync(inRoot('bindings/js/facades/prompt-api/types.ts'), 'utf8')
  const own = [
    ...source
      .split('LanguageModelChatOptions = Pick<')[1]
      .split('>')[0]
      .matchAll(/'(\w+)'/g),
  ].map(([, name]) => name)
  assertAllBut(
    [
      ...code.filter(name => name !== 'signal'),
      ...schemas,
      'grammar',
      'frequencyPenalty',
      'presencePenalty',
      'penaltyWindow',
      'logitBias',
      'stop',
      'topLogprobs',
      'speculate',
      'contextShift',
      'toolChoice',
      'parallelToolCalls',
      'trim',
      'onToken',
    ],
    [...own, 'temperature', 'topK', 'signal', 'tools', 'continueFinal', 'jsonSchema', 'regex'],
    chat,
  ) // the latter are its own, by other names
})
