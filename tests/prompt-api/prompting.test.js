// Conversations with the Prompt API. The tests follow those of web-platform-tests in ai/language-model:
// language-model-prompt, -prompt-streaming, -prompt-empty-input, -append, -measure-context-usage, -quota-exceeded, -abort,
// and prompt/ (rejections, prompt-concurrent, prompt-post-abort, context/, empty-inputs/, streaming/).
// Difference: an answer adds its tokens as an assistant's message to contextUsage, not as a user's; they differ by the role's name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { createLanguageModel } from 'heed/prompt-api'
import {
  assistant,
  joined,
  languageModel,
  loadScripted,
  rejectsAs,
  rejectsExactly,
  rejectsQuota,
  system,
  user,
} from './support.mjs'

const model = await loadScripted(['First answer.', 'Second answer.', 'Third answer.'])
const LanguageModel = createLanguageModel({ model })
const { create } = LanguageModel

/** The expected usage: the tokens of the messages, as the template renders them, and BOS. */
const usageOf = async messages =>
  (await model.tokenize((await model.chatTemplate()).render(messages, { addGenerationPrompt: false }), { addSpecial: false }))
    .length + 1

test('a conversation continues, and its usage grows', async () => {
  const session = await create({ initialPrompts: [system('Be brief.')] })
  assert.equal(await session.prompt('One?'), 'First answer.')
  assert.equal(session.contextUsage, await usageOf([system('Be brief.'), user('One?'), assistant('First answer.')]))
  assert.equal(await session.prompt([user('Two?')]), 'Second answer.')
  assert.equal(
    await session.prompt([
      {
        role: 'user',
        content: [
          { type: 'text', value: 'Thr' },
          { type: 'text', value: 'ee?' },
        ],
      },
    ]),
    'Third answer.',
  )
  const all = [
    system('Be brief.'),
    ...['One?', 'First answer.', 'Two?', 'Second answer.', 'Three?', 'Third answer.'].map((content, index) =>
      (index % 2 ? assistant : user)(content),
    ),
  ]
  assert.equal(session.contextUsage, await usageOf(all))
  assert.equal(session.inputUsage, session.contextUsage)
})

test('streams strings', async () => {
  const session = await create()
  const stream = session.promptStreaming('One?')
  assert.ok(stream instanceof ReadableStream)
  const reader = stream.getReader()
  const chunks = []
  for (let next; !(next = await reader.read()).done; ) chunks.push(next.value)
  assert.equal(chunks.join(''), 'First answer.')
  assert.ok(chunks.length > 2)
  assert.equal(await joined(session.promptStreaming('Two?')), 'Second answer.')
})

test('appended messages are read and cost what was measured', async () => {
  const session = await create()
  const usage = await session.measureContextUsage('One?')
  assert.ok(usage > 0)
  assert.equal(usage, await session.measureInputUsage('One?'))
  assert.equal(session.contextUsage, 0)
  assert.equal(await session.append('One?'), undefined)
  assert.equal(session.contextUsage, usage)
  await session.append([assistant('First answer.'), user('Two?')])
  assert.equal(await session.prompt('Really?'), 'Second answer.')
  const prompts = [system('foo'), user('bar'), assistant('baz')]
  assert.equal(await session.measureContextUsage(prompts), await usageOf(prompts)) // even for prompts that are not allowed now
})

test('tokens that were read are not read again', async () => {
  let reused
  const watched = new Proxy(model, {
    get(target, name) {
      if (name !== 'session') return typeof target[name] === 'function' ? target[name].bind(target) : target[name]
      return async () => {
        const session = await target.session()
        const chat = session.chat.bind(session)
        session.chat = (...args) => {
          const answer = chat(...args)
          answer.then(({ usage }) => {
            reused = usage.reusedTokens
          })
          return answer
        }
        return session
      }
    },
  })
  const session = await createLanguageModel({ model: watched }).create({ initialPrompts: [system('Be brief.')] })
  const initial = session.contextUsage
  await session.prompt('One?')
  assert.equal(reused, initial)
  await session.append('More?')
  const before = session.contextUsage
  await session.prompt('Two?')
  assert.equal(reused, before)
})

test('an input may be empty, or is converted to a string', async () => {
  const empty = [
    null,
    undefined,
    '',
    [],
    [{ role: 'user', content: [] }],
    [{ role: 'user', content: [{ type: 'text', value: '' }] }],
    {},
  ]
  for (const input of empty) {
    const session = await create()
    assert.equal(await session.append(input), undefined)
    assert.equal(await (await create()).prompt(input), 'First answer.')
    assert.equal(await joined((await create()).promptStreaming(input)), 'First answer.')
  }
  const session = await create()
  assert.equal(await session.measureContextUsage(null), await session.measureContextUsage('null'))
  assert.equal(await session.measureContextUsage({}), await session.measureContextUsage('[object Object]'))
})

test('a system message must come first', async () => {
  const session = await create()
  for (const call of ['prompt', 'append']) {
    await assert.rejects(session[call]([user('foo'), system('bar')]), TypeError)
    await assert.rejects(session[call]([system('foo'), system('bar')]), TypeError)
  }
  await assert.rejects(joined(session.promptStreaming([user('foo'), system('bar')])), TypeError)
  const first = session.prompt({ role: 'system', content: 'foo' }) // not an array, so it is converted to a string
  await assert.rejects(session.prompt([system('bar')]), TypeError)
  assert.equal(await first, 'First answer.')
  assert.equal(await (await create()).prompt([system('bar'), user('One?')]), 'First answer.')
  const begun = await create({ initialPrompts: [user('hello')] })
  await assert.rejects(begun.prompt([system('bar')]), TypeError)
})

test('invalid values are errors', async () => {
  const session = await create()
  for (const wrong of [
    [5],
    [{ role: 'user' }],
    [{ role: 'robot', content: 'x' }],
    [{ role: 'user', content: [{ type: 'text' }] }],
    Symbol('x'),
  ]) {
    await assert.rejects(session.prompt(wrong), TypeError)
    await assert.rejects(session.append(wrong), TypeError)
    await assert.rejects(session.measureContextUsage(wrong), TypeError)
    await assert.rejects(joined(session.promptStreaming(wrong)), TypeError)
  }
  for (const type of ['image', 'audio', 'tool-call', 'tool-response']) {
    for (const role of ['user', 'assistant'])
      await rejectsAs('NotSupportedError', session.prompt([{ role, content: [{ type, value: {} }] }]))
  }
  for (const responseConstraint of [5, { type: 'objet' }, /a/i]) {
    await assert.rejects(session.prompt('x', { responseConstraint }), TypeError)
    await assert.rejects(joined(session.promptStreaming('x', { responseConstraint })), TypeError)
  }
  await assert.rejects(session.measureContextUsage('x', { omitResponseConstraintInput: true }), TypeError)
  assert.equal(session.contextUsage, 0)
  assert.equal(await session.prompt('One?'), 'First answer.')
})

test('an answer satisfies its constraint', async () => {
  const session = await create()
  assert.equal(await session.prompt('One?', { responseConstraint: /(First|Last) answer\./u }), 'First answer.')
  const responseConstraint = { enum: ['yes', 'no'] }
  const usage = await session.measureContextUsage('Two?', { responseConstraint })
  assert.equal(usage, await session.measureContextUsage('Two?'))
  assert.match(
    await joined(session.promptStreaming('Two?', { responseConstraint, omitResponseConstraintInput: true })),
    /^"(yes|no)"$/,
  )
})

test('an answer that is cut off before it satisfies its constraint is an error, and leaves the session unchanged', async () => {
  const model = await loadScripted(['First answer.'])
  const session = await createLanguageModel({ model, chat: { maxTokens: 8 } }).create()
  for (const responseConstraint of [{ type: 'string', minLength: 2000 }, /[a-z]{2000}/u]) {
    await rejectsAs('OperationError', session.prompt('One?', { responseConstraint }))
    await rejectsAs('OperationError', joined(session.promptStreaming('One?', { responseConstraint })))
    assert.equal(session.contextUsage, 0)
  }
  assert.match(await session.prompt('One?', { responseConstraint: /yes|no/u }), /^(yes|no)$/)
})

test('a constraint applies to the final answer; tools may run before', async () => {
  const responseConstraint = { enum: ['yes', 'no'] }
  const session = await create()
  await rejectsAs('NotSupportedError', session.prompt([user('?'), { ...assistant('The '), prefix: true }], { responseConstraint }))
  let asked = 0
  const Tools = await languageModel([askCall, '"no"', askCall, '"yes"'])
  const withTools = await Tools.create({ tools: [askTool(() => ++asked)] })
  assert.equal(await withTools.prompt('?', { responseConstraint }), '"no"')
  assert.equal(await joined(withTools.promptStreaming('?', { responseConstraint })), '"yes"')
  assert.equal(asked, 2)
})

test('an answer with a prefix is one message with it', async () => {
  // The template ends the prompt with the prefix, which the scripted model continues.
  const template =
    `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}` +
    '{% if add_generation_prompt %}<|im_start|>assistant\n<|turn0|>{% endif %}'
  const Begun = await languageModel(['The answer is long.'], { template })
  const session = await Begun.create()
  const rest = await session.prompt([user('?'), { ...assistant('The '), prefix: true }])
  assert.ok('The answer is long.'.endsWith(rest), rest)
  const whole = await session.measureContextUsage([user('?'), assistant(`The ${rest}`)])
  assert.equal(session.contextUsage, whole)
  await rejectsAs('SyntaxError', session.prompt([{ ...user('x'), prefix: true }]))
  await rejectsAs('SyntaxError', session.prompt([{ ...assistant('x'), prefix: true }, user('y')]))
})

test('calls run one after another', async () => {
  const session = await create()
  assert.deepEqual(await Promise.all([session.prompt('One?'), joined(session.promptStreaming('Two?')), session.prompt('Two?')]), [
    'First answer.',
    'Second answer.',
    'Third answer.',
  ])
})

test('prompts can be aborted, and the session remains usable', async () => {
  const session = await create()
  for (const reason of [undefined, new DOMException('test', 'VersionError')]) {
    const controller = new AbortController()
    const { signal } = controller
    const running = [session.prompt('?', { signal }), session.append('?', { signal }), session.measureContextUsage('?', { signal })]
    const stream = session.promptStreaming('?', { signal })
    controller.abort(reason)
    for (const promise of running) await rejectsExactly(signal.reason, promise)
    await rejectsExactly(signal.reason, stream.pipeTo(new WritableStream()))
    await rejectsExactly(signal.reason, session.prompt('?', { signal }))
    assert.throws(
      () => session.promptStreaming('?', { signal }),
      error => error === signal.reason,
    )
  }
  assert.equal(session.contextUsage, 0)
  assert.equal(await session.prompt('One?'), 'First answer.')
})

test('a stream can be abandoned', async () => {
  const session = await create()
  for await (const chunk of session.promptStreaming('One?')) {
    assert.ok('First answer.'.startsWith(chunk))
    break
  }
  assert.equal(session.contextUsage, 0)
  assert.equal(await session.prompt('One?'), 'First answer.')
})

test('a prompt that cannot fit exceeds the quota, and the session remains unchanged', async () => {
  const session = await create()
  await session.prompt('One?')
  const before = session.contextUsage
  const long = 'Please write a sentence in English.'.repeat(100)
  const usage = await session.measureContextUsage(long)
  assert.ok(usage > session.contextWindow)
  let overflows = 0
  session.oncontextoverflow = () => overflows++
  for (const call of ['prompt', 'append']) await rejectsQuota(usage, session.contextWindow, session[call](long))
  await rejectsQuota(usage, session.contextWindow, joined(session.promptStreaming(long)))
  assert.deepEqual([overflows, session.contextUsage], [0, before])
  assert.equal(await session.prompt('Two?'), 'Second answer.')
})

test('the oldest turns are removed to make room for new ones', async () => {
  const Small = await languageModel(['First answer.', 'Second answer.', 'Third answer.'], { context: 256 })
  const initialPrompts = [system('Be brief.')]
  const session = await Small.create({ initialPrompts })
  const events = []
  session.addEventListener('contextoverflow', event => events.push(event.type))
  session.onquotaoverflow = event => events.push(`on ${event.type}`)
  const long = 'x'.repeat(70)
  await session.prompt(long)
  await session.prompt('Short?')
  assert.deepEqual(events, [])
  assert.equal(await session.prompt(long), 'Second answer.') // continues the rest: the first turn was removed
  assert.deepEqual(events, ['contextoverflow', 'on quotaoverflow'])
  const left = [...initialPrompts, user('Short?'), assistant('Second answer.'), user(long), assistant('Second answer.')]
  assert.equal(session.contextUsage, await session.measureContextUsage(left))
  await session.append(long)
  await session.append(long)
  assert.equal(events.length, 4)
  assert.ok(session.contextUsage <= session.contextWindow)
})

test('an answer that fills the context continues without the oldest turns', async () => {
  const stories = await loadModel(undefined, { threads: 1, contextLength: 192 })
  const template = '{% for message in messages %}{{ message.content }}\n{% endfor %}'
  const Stories = createLanguageModel({ model: stories, chat: { template, seed: 3 } })
  const session = await Stories.create()
  let overflows = 0
  session.oncontextoverflow = () => overflows++
  const asked = 'Write a story about a fox and a lantern.'
  const lengthOf = content => session.measureContextUsage([user(content), assistant('I heard it.'), user(asked)])
  let older = 'A bear' // until there is little room for any story
  while (session.contextWindow - (await lengthOf(older)) > 16) older += ' and a bear'
  await session.append([user(older), assistant('I heard it.')])
  const room = session.contextWindow - session.contextUsage - (await session.measureContextUsage(asked))
  assert.ok(room > 0)
  const answer = await session.prompt(asked)
  assert.ok((await session.measureContextUsage(answer)) > room)
  assert.equal(overflows, 1)
  assert.equal(session.contextUsage, await session.measureContextUsage([user(asked), assistant(answer)]))
  await stories.dispose()
})

test('tools run, and the model continues with their results', async () => {
  const call = args => `<tool_call>\n${JSON.stringify({ name: 'weather', arguments: args })}\n</tool_call>`
  const Tools = await languageModel([call({ city: 'Bern' }), 'Rain in Bern.', 'You are welcome.'])
  const asked = []
  const tool = {
    name: 'weather',
    description: 'Tells the weather.',
    extra: 'rain',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    async execute({ city }) {
      asked.push(city)
      return this.extra
    },
  }
  const session = await Tools.create({ tools: [tool] })
  assert.equal(session.contextUsage, 0)
  assert.equal(await session.prompt('Weather?'), 'Rain in Bern.')
  assert.deepEqual(asked, ['Bern'])
  assert.equal(await session.prompt('Thanks.'), 'You are welcome.')
  const clone = await (await Tools.create({ tools: [tool] })).clone()
  assert.equal(await joined(clone.promptStreaming('Weather?')), 'Rain in Bern.')
  assert.deepEqual(asked, ['Bern', 'Bern'])
})

const askTool = execute => ({ name: 'ask', description: 'Asks.', inputSchema: { type: 'object' }, execute })
const askCall = '<tool_call>\n{"name": "ask", "arguments": {}}\n</tool_call>'

test('a tool that asks its own session, at once or later, gets an error, and the answer goes on', async () => {
  const Tools = await languageModel([askCall, 'Done.', 'Later.'])
  const errors = []
  let measured, own
  const ask = async () => {
    for (const call of [
      () => session.prompt('?'),
      () => session.append('?'),
      () => session.clone(),
      () => joined(session.promptStreaming('?')),
    ]) {
      errors.push((await call().catch(error => error)).name)
    }
  }
  const execute = async () => {
    await ask()
    await new Promise(setImmediate) // after anything that it waits for first
    await ask()
    measured = await session.measureContextUsage('?')
    own = await copy.measureContextUsage('?')
    return 'asked'
  }
  const session = await Tools.create({ tools: [askTool(execute)] })
  const copy = await session.clone()
  const queued = session.prompt('Ask.')
  const next = session.prompt('And?') // made before the tool runs: it waits for its turn
  assert.equal(await queued, 'Done.')
  assert.deepEqual(errors, Array(8).fill('InvalidStateError'))
  assert.deepEqual([measured > 0, measured], [true, own])
  assert.equal(await next, 'Later.')
})

test('an answer that is aborted does not wait for its tool, nor do later calls', async () => {
  const Tools = await languageModel([askCall, 'Done.'])
  const controller = new AbortController()
  let end,
    calls = 0
  const session = await Tools.create({
    tools: [
      askTool(() => {
        if (calls++ > 0) return 'at once'
        controller.abort()
        return new Promise(resolve => {
          end = resolve
        })
      }),
    ],
  })
  await rejectsAs('AbortError', session.prompt('Ask.', { signal: controller.signal }))
  assert.equal(await session.prompt('Ask.'), 'Done.')
  end('too late')
  assert.equal(calls, 2)
})

test('reasoning is not part of the answer', async () => {
  const Thinking = await languageModel(['<think>\nLet me see.\n</think>\n\nYes.'])
  assert.equal(await (await Thinking.create()).prompt('?'), 'Yes.')
})

test('messages are merged for templates whose roles must alternate', async () => {
  const template =
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate.') }}" +
    '{% endif %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|turn0|>{% endif %}'
  const Strict = await languageModel(['Yes.'], { template })
  const session = await Strict.create()
  await session.append('One.')
  await session.append('Two.')
  assert.equal(session.contextUsage, await session.measureContextUsage('One.\n\nTwo.'))
  assert.equal(await session.prompt('Three?'), 'Yes.')
})
