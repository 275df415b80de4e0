// Whether the model calls the page's and the README's tools as people ask for them, leaves them alone where none serves, and leads first
// messages somewhere: stories/wordings.json and stories/openings.json, written by hand, of which "kept" is in no training text. It does
// not use the generator, but what a user has: the package, the page's tools as they are, and the template of the file, greedily.
//
//     npm run build -- package && node models/training/wordings.mjs [MODEL.gguf] [--part kept|taught] [--only tools wrong unserved stories openings] [--lines FILE]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadModel } from 'heed'
import { build } from 'rolldown'
import { calledRightly, Figures, includes, isStory, leadsSomewhere, refusal, told } from './judge.mjs'

const here = file => new URL(file, import.meta.url)
const read = file => JSON.parse(readFileSync(here(`stories/${file}.json`), 'utf8'))
const greedy = { temperature: 0, maxTokens: 160, think: false }
const noon = Date.UTC(2027, 2, 5, 14, 23, 51) // a Friday

/** The page's tools, from its source. */
export async function pageTools() {
  const {
    output: [{ code }],
  } = await build({ input: here('../../web/chat/tools/tools.ts').pathname, write: false })
  const { pageTools } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return pageTools.map(({ tool }) => tool)
}

/** The tool in the README's first example of a chat. */
function readmeTool() {
  const [, object] = /const dice: Tool = (\{.*?\n\})\n/s.exec(readFileSync(here('../../README.md'), 'utf8'))
  return Function(`return (${object})`)()
}

/** Two tools beside them that nobody asks for. */
const others = [
  {
    name: 'get_weather',
    description: 'Gets the weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'send_email',
    description: 'Sends an email.',
    parameters: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } }, required: ['to', 'text'] },
  },
].map(tool => ({ ...tool, execute: () => 'done' }))

/** `run` while chance and the clock are always the same. */
function settled(seed, run) {
  const {
    Date: RealDate,
    Math: { random },
  } = globalThis
  const { getRandomValues } = crypto
  let state = seed
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
  crypto.getRandomValues = box => box.map((_, at) => (box[at] = next()))
  Math.random = () => next() / 2 ** 32
  globalThis.Date = class extends RealDate {
    constructor(...when) {
      super(...(when.length > 0 ? when : [noon]))
    }
  }
  try {
    return run()
  } finally {
    globalThis.Date = RealDate
    Math.random = random
    crypto.getRandomValues = getRandomValues
  }
}

/** A greedy answer to a conversation, with tools that run: {calls, results, text}. */
export async function answer(model, messages, tools) {
  const calls = [],
    results = []
  let seed = messages.at(-1).content.length
  const lent = tools.map(tool => ({ ...tool, execute: given => settled(seed++, () => tool.execute(given)) }))
  const chat = model.chat(messages, { tools: lent, maxSteps: 2, ...greedy })
  for await (const event of chat) {
    if (event.type === 'tool-call') calls.push(event)
    if (event.type === 'tool-result') results.push(event.content)
  }
  const { text, finishReason } = await chat
  return { calls, results, text: text.trim(), finishReason }
}

const user = content => [{ role: 'user', content }]
const offers = (tool, together) => [
  ['alone', [tool]],
  ['together', together],
  ['with others', [...together, ...others]],
]

async function ofTools(model, figures, part) {
  const page = await pageTools(),
    { tools } = read('wordings')
  for (const [name, wordings] of Object.entries(tools)) {
    const tool = page.find(one => one.name === name) ?? readmeTool()
    const ways = page.includes(tool)
      ? offers(tool, page)
      : [
          ['alone', [tool]],
          ['told to be brief', [tool]],
          ['with others', [tool, ...others]],
        ]
    for (const [how, offered] of ways) {
      for (const [asked, ...wanted] of wordings[part]) {
        const before = how === 'told to be brief' ? [{ role: 'system', content: 'Be brief.' }] : []
        const { calls, results, text } = await answer(model, [...before, ...user(asked)], offered)
        const right = calls.length === 1 && calls[0].name === tool.name && calledRightly(calls[0].arguments, wanted, tool)
        figures.add(
          `${name}, ${how}`,
          asked,
          { calls: calls.map(call => [call.name, call.arguments]), results, text },
          {
            called: calls.some(call => call.name === tool.name),
            right,
            told: right && results.length > 0 && told(text, results[0], asked),
          },
        )
      }
    }
  }
}

async function ofWrong(model, figures, part) {
  const page = await pageTools()
  for (const [asked, ...wanted] of read('wordings').wrong[part]) {
    const { calls, results, text } = await answer(model, user(asked), page)
    const tool = page.find(({ name }) => name === calls[0]?.name)
    figures.add(
      'what fails, together',
      asked,
      { calls: calls.map(call => [call.name, call.arguments]), results, text },
      {
        right: tool !== undefined && calledRightly(calls[0].arguments, wanted, tool),
        told: results.length > 0 && told(text, results[0], asked),
      },
    )
  }
}

async function ofUnserved(model, figures, part) {
  for (const [how, offered] of offers((await pageTools())[0], await pageTools()).concat([['of the README', [readmeTool()]]])) {
    if (how === 'with others') continue // which serve some
    for (const asked of read('wordings').unserved[part]) {
      const { calls, text } = await answer(model, user(asked), offered)
      const left = calls.length === 0 && !text.includes('<tool_call>')
      figures.add(
        `no tool serves, ${how}`,
        asked,
        { calls: calls.map(call => [call.name, call.arguments]), text },
        { left, declined: left && refusal.test(text) },
      )
    }
  }
}

async function ofStories(model, figures, part) {
  for (const [asked, words] of read('wordings').stories[part]) {
    const { calls, text } = await answer(model, user(asked), await pageTools())
    figures.add(
      'stories beside tools',
      asked,
      { calls: calls.map(call => [call.name, call.arguments]), text },
      {
        left: calls.length === 0,
        right: calls.length === 0 && (words ? includes(text, words) : isStory(text)),
      },
    )
  }
}

async function ofOpenings(model, figures, part) {
  const { right, [part]: openings } = read('openings')
  for (const [kind, ...said] of openings) {
    const { text, finishReason } = await answer(
      model,
      said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
      [],
    )
    const topic = /about an? (\w+) and an? (\w+)\?$/.exec(said.at(-2) ?? '')?.slice(1) ?? []
    const good = finishReason === 'stop' && leadsSomewhere(text, kind, right[kind], topic)
    figures.add(`first messages: ${kind}`, said, text, { good })
    figures.add('first messages', said, text, { good })
  }
}

const parts = { tools: ofTools, wrong: ofWrong, unserved: ofUnserved, stories: ofStories, openings: ofOpenings }

if (import.meta.filename === process.argv[1]) {
  const {
    values: { part, only, lines },
    positionals: [file],
  } = parseArgs({
    allowPositionals: true,
    options: {
      part: { type: 'string', default: 'kept' },
      only: { type: 'string', multiple: true },
      lines: { type: 'string' },
    },
  })
  const model = await loadModel(file ?? here('../heed-stories.gguf').pathname)
  const figures = new Figures(lines)
  for (const name of only ?? Object.keys(parts)) await parts[name](model, figures, part)
  figures.print()
  model.dispose()
}
