// What is written while it is killed, and how it is looked at afterwards, in Node and in pages: functions sent to a page as source.

const document = 'Once upon a time, there was a little fox who lived in a deep, dark wood. '

/** Each has a seed of its own, by which an unfinished answer is recognized. */
export const calls = [
  { kind: 'prompt', prompt: document.repeat(6), options: { maxTokens: 90, seed: 11, stopAtEnd: false } },
  { kind: 'prompt', prompt: document.replaceAll('fox', 'bear').repeat(9), options: { maxTokens: 60, seed: 12, stopAtEnd: false } },
  {
    kind: 'prompt',
    prompt: `${document}What it ate: `,
    options: {
      maxTokens: 60,
      seed: 13,
      jsonSchema: { type: 'array', items: { type: 'string', minLength: 3, maxLength: 12 }, minItems: 9 },
    },
  },
  { kind: 'session', prompt: document.repeat(4), options: { maxTokens: 70, seed: 14, stopAtEnd: false } },
  { kind: 'chat', prompt: 'Write a story about a hen and a bear.', options: { maxTokens: 70, seed: 15 } },
]

/** Begins a call; what it returns can be iterated and awaited. */
async function begin(model, { kind, prompt, options }) {
  if (kind === 'chat') return { writing: model.chat([{ role: 'user', content: prompt }], options) }
  if (kind === 'prompt') return { writing: model.generate(prompt, options) }
  const session = await model.session()
  await session.append(prompt)
  return { writing: session.generate(' Then', options) }
}

/** The whole text of a call, and the number of parts that it comes in. */
export async function answerOf(model, call) {
  const { writing } = await begin(model, call)
  let parts = 0
  for await (const _ of writing) parts++
  const { text, message } = await writing
  return { text: text ?? message.content, parts }
}

/**
 * Loads the model and writes; `tell` hears how far it is. `empties`: the model is downloaded again. `goesOn`: writes the oldest unfinished
 * answer, if there is one.
 */
async function write({ loadModel, modelStore }, { source, load, call, empties, goesOn }, tell) {
  if (empties) await modelStore.clear()
  tell({ at: 'load' })
  const model = await loadModel(source, load)
  const [old] = goesOn ? await model.unfinished() : []
  const seed = old?.seed ?? call.options.seed
  tell({ at: 'begin', seed })
  const { writing } = old ? { writing: old.continue() } : await begin(model, call)
  let count = 0
  for await (const _ of writing) tell({ at: 'part', count: ++count, seed })
  await writing
  tell({ at: 'end', seed })
}

/** What a visitor finds afterwards; with `finishes`, the unfinished answers are written to their ends. */
async function look({ loadModel, modelStore }, { source, load, calls, finishes }) {
  await modelStore.list() // before anything is mended
  await modelStore.estimate()
  const model = await loadModel(source, load)
  const answers = await model.unfinished()
  const found = answers.map(({ seed, text, length }) => ({ seed, text, length }))
  const whole = []
  for (const answer of finishes ? answers : []) {
    const call = calls.find(({ options }) => options.seed === answer.seed)
    // an answer of a chat is asked for again; the others go on by themselves
    const { writing } = call.kind === 'chat' ? await begin(model, call) : { writing: answer.continue() }
    const { text, message } = await writing
    whole.push({ seed: answer.seed, text: text ?? message.content })
  }
  const left = finishes ? (await model.unfinished()).length : undefined
  await model.dispose()
  const models = (await modelStore.list()).map(({ complete }) => complete)
  return { models, found, whole, left }
}

export { look, write }

/** The source of an expression that calls one of them in a page, which has `heed`, and remembers what `tell` was told last. */
export const inPage = (name, argument) => `(() => {
  ${begin}; ${write}; ${look}
  const remember = told => {
    localStorage.setItem('told', JSON.stringify(told))
    globalThis.tell(told)
  }
  return ${name}(globalThis.heed, ${JSON.stringify(argument)}, remember)
})()`
