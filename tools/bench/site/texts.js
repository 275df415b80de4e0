// Generates several texts with one model, as a page does.
import { loadModel } from 'heed'

export let model
let count = 0

export async function load({ url, threads, contextLength, parallel, simd, kvCache }) {
  model = await loadModel(url, { threads, contextLength, parallel, ...(simd && { simd }), ...(kvCache && { kvCache }) })
  return model.info
}

/** Token ids that differ between texts from the first one on, so that nothing is reused. */
export function prompt(length) {
  count++
  return Array.from({ length }, (_, i) => 3 + ((i * 7 + count * 31) % 251))
}

/** Options of a text of so many tokens, without speculation. */
export const options = tokens => ({ maxTokens: tokens, temperature: 0, stopAtEnd: false, speculate: 'off' })

/** Tokens per second of all texts together. */
export const write = ({ texts, prompt: length, tokens }) =>
  rate(Array.from({ length: texts }, () => model.generate(prompt(length), options(tokens))))

/** The same of texts that are being generated: from when the last one has started until the first one ends. */
export async function rate(generations) {
  const arrivals = await Promise.all(
    generations.map(async generation => {
      const times = []
      for await (const _ of generation) times.push(performance.now())
      return times
    }),
  )
  const from = Math.max(...arrivals.map(times => times[0])),
    to = Math.min(...arrivals.map(times => times.at(-1)))
  const written = arrivals.flat().filter(time => time > from && time <= to).length
  return (written / (to - from)) * 1000
}

/** The longest gap between two tokens of a text while another prompt is read, and the time of a pass of 128 tokens alone. */
export async function arrival({ prompt: length, tokens }) {
  const passes = []
  for (let i = 0; i < 5; i++) {
    const { timings } = await model.generate(prompt(128), options(1))
    passes.push(timings.prefillMs)
  }
  const times = []
  let reading
  for await (const _ of model.generate(prompt(16), options(tokens))) {
    times.push(performance.now())
    if (times.length === 10) reading = model.generate(prompt(length), options(1))
  }
  await reading
  const gaps = times.slice(1).map((time, i) => time - times[i])
  return { gapMs: Math.max(...gaps), passMs: passes.sort((a, b) => a - b)[2] }
}

export async function sessions({ length }) {
  const session = await model.session()
  await session.append(prompt(length))
  const before = (await model.memory()).bytes
  const forks = []
  for (let i = 0; i < 9; i++) {
    const start = performance.now()
    const fork = await session.fork()
    forks.push(performance.now() - start)
    await fork.dispose()
  }
  const forkBytes = (await model.memory()).bytes - before
  let start = performance.now()
  const saved = await session.save()
  const saveMs = performance.now() - start
  await session.dispose()
  start = performance.now()
  const again = await model.restore(saved)
  const restoreMs = performance.now() - start
  await again.dispose()
  const rate = ms => saved.length / ms / 1e6
  return {
    forkMs: forks.sort((a, b) => a - b)[4],
    forkBytes,
    saveGbs: rate(saveMs),
    restoreGbs: rate(restoreMs),
    savedBytes: saved.length,
  }
}

/**
 * The fraction of system prompt tokens that were reused in consecutive conversations with the same system prompt, without the
 * first.
 */
export async function conversations({ count, system, own, tokens }) {
  const beginning = prompt(system)
  let reused = 0,
    all = 0
  for (let i = 0; i < count; i++) {
    const { timings } = await model.generate([...beginning, ...prompt(own)], options(tokens))
    if (i === 0) continue
    reused += timings.reusedTokens
    all += system
  }
  return { reused: reused / all }
}

const template = `{% for message in messages %}<|{{ message.role }}|>
{{ message.content }}
{% endfor %}{% if add_generation_prompt %}<|assistant|>
{% endif %}`

/**
 * A chat of several turns. `turnReused`: the reused fraction of the tokens that a turn's prompt shares with the text before it; the
 * minimum of all turns. `turnMs`: the time to the first token of the last turn; `freshMs`: the same for a prompt of only its new
 * tokens.
 */
export async function conversation({ turns, words, tokens }) {
  const messages = []
  let before = [],
    reused = 1,
    firstMs,
    added
  for (let turn = 0; turn < turns; turn++) {
    messages.push({
      role: 'user',
      content: Array.from({ length: words }, (_, i) => 'the cat sat on a red mat'.split(' ')[(i * 5 + turn) % 7]).join(' '),
    })
    const start = performance.now()
    firstMs = undefined
    const {
      steps: [{ promptIds, generation }],
      message,
    } = await model.chat(messages, {
      template,
      maxTokens: tokens,
      temperature: 0,
      onToken: () => {
        firstMs ??= performance.now() - start
      },
    })
    const differs = promptIds.findIndex((id, i) => id !== before[i])
    if (turn > 0) reused = Math.min(reused, generation.timings.reusedTokens / differs)
    added = promptIds.length - generation.timings.reusedTokens
    before = [...promptIds, ...generation.tokens.map(token => token.id)]
    messages.push(message)
  }
  const fresh = []
  for (let i = 0; i < 3; i++) {
    const ids = prompt(added)
    const start = performance.now()
    for await (const _ of model.generate(ids, options(1))) fresh.push(performance.now() - start)
  }
  return { turnReused: reused, turnMs: firstMs, freshMs: fresh.sort((a, b) => a - b)[1], turnTokens: added }
}
