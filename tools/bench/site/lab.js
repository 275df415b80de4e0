// The cost of adapters, edits and constraints in generation, and of the lens of one more token, each beside the plain call in a
// round.
import { loadModel } from './dist/index.js'

let model

export async function load({ url, adapterUrl, threads, simd }) {
  model = await loadModel(url, { threads, contextLength: 256, ...(simd && { simd }) })
  await model.loadAdapter('all', adapterUrl)
  return model.info
}

const prompt = Array.from({ length: 24 }, (_, index) => 300 + 7 * index)

/** Milliseconds per generated token. */
async function decode(tokens, changes) {
  const { timings } = await model.generate(prompt, {
    maxTokens: tokens,
    temperature: 0,
    stopAtEnd: false,
    speculate: 'off',
    ...changes,
  })
  return timings.decodeMs / (timings.generatedTokens - 1)
}

/** A constraint under which every token within a string is free. */
const strings = { type: 'array', items: { type: 'string', minLength: 1000 } }

const record = properties => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })
/** A tool call, whose names are forced and whose arguments are free. */
const toolCall = record({
  name: { const: 'get_forecast' },
  arguments: record({
    place: { type: 'string', pattern: '^[a-z]{6}$' },
    unit: { enum: ['celsius', 'fahrenheit'] },
    days: { type: 'integer', minimum: 1, maximum: 9 },
  }),
})

/** Milliseconds per token of a tool call. */
async function callTool() {
  const { timings } = await model.generate(prompt, { maxTokens: 200, temperature: 0, jsonSchema: toolCall, whitespace: 'compact' })
  return timings.decodeMs / (timings.generatedTokens - 1)
}

/** Milliseconds per call, for texts that grow by a token. */
async function perToken(tokens, call) {
  const text = [...prompt, ...Array.from({ length: tokens + 1 }, (_, index) => 500 + 11 * index)]
  await call(text.slice(0, prompt.length + 1)) // caches the text before this token
  const start = performance.now()
  for (let index = 1; index <= tokens; index++) await call(text.slice(0, prompt.length + 1 + index))
  return (performance.now() - start) / tokens
}

/** One round of everything, in milliseconds. `layers`: the lens's. */
export async function round({ tokens, layers }) {
  const { layers: count } = model.info
  const read = Array.from({ length: layers }, (_, index) => count - 1 - Math.floor((index * count) / layers))
  return {
    plainMs: await decode(tokens, {}),
    adaptedMs: await decode(tokens, { adapters: { all: 1 } }),
    offMs: await decode(tokens, { adapters: { all: 0 }, edits: [] }),
    ablatedMs: await decode(tokens, { edits: [{ head: [1, 0], scale: 0 }] }),
    formedMs: await decode(tokens, { jsonSchema: strings, stopAtEnd: true }),
    calledMs: await callTool(),
    logitsMs: await perToken(tokens, ids => model.logits(ids)),
    lensMs: await perToken(tokens, ids => model.lens(ids, { layers: read })),
  }
}
