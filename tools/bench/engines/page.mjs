// Measures an engine that runs in a page: a new browser, a load, a first prompt, then warm prompts.
import { startBrowser } from '../../browsers/index.mjs'
import { checkDot, dotFlags } from '../dot.mjs'

/** Token ids that differ between prompts from the first one on, so that no engine finds them in its cache. */
function prompts() {
  let count = 0
  return length => {
    count++
    return Array.from({ length }, (_, i) => 3 + ((i * 7 + count * 31) % 256))
  }
}

const speed = ({ promptTokens, prefillMs }) => (promptTokens / prefillMs) * 1000

/**
 * Resolves to the figures of one run, {name: value}. `extra(page)` measures more in the same browser first. `memory`: '32' or
 * '64' bits; the engine chooses if undefined.
 */
async function measure(name, { url, file, options, memory, extra }) {
  const { threads, simd, dot, kv, prompt, tokens, context } = options
  const browser = await startBrowser(options.browser, { v8: dotFlags[dot] })
  try {
    const page = await browser.open(url)
    const figures = (await extra?.(page)) ?? {}
    const inEngine = (call, argument) =>
      page.evaluate(async ({ name, call, argument }) => (await bench.engine(name))[call](argument), { name, call, argument })
    const nextPrompt = prompts()
    const generate = (length, tokens) => inEngine('generate', { prompt: nextPrompt(length), tokens })

    const contextLength = Math.max(...prompt, ...context) + tokens
    const { milliseconds, info } = await inEngine('load', {
      url: file,
      threads,
      contextLength,
      simd,
      kvCache: name === 'heed' ? kv : undefined,
      memory64: memory && memory === '64',
    })
    if (name === 'heed') checkDot(dot, info.target)
    Object.assign(figures, { loadMs: milliseconds, info })
    const first = await generate(prompt[0], 1)
    figures.firstTokenMs = first.firstTokenMs
    figures.freshPrefill = speed(first)
    figures.decode = {}
    for (const length of context) {
      const { decodeMs, generatedTokens } = await generate(length, tokens)
      figures.decode[length] = ((generatedTokens - 1) / decodeMs) * 1000 // prefill generates the first one
    }
    figures.prefill = {}
    for (const length of prompt) figures.prefill[length] = speed(await generate(length, 1))
    if (name === 'heed') figures.memoryBytes = await inEngine('memory')
    return figures
  } finally {
    await browser.close()
  }
}

export const wllama = run => measure('wllama', run)

/** Heed again, with the second memory of --memory. */
export const otherHeed = run => measure('heed', { ...run, memory: run.options.memory[1] })

/** Heed, and the machine's limits, measured in the same browser. */
export const heed = run =>
  measure('heed', {
    ...run,
    memory: run.options.memory[0],
    extra: async page => {
      const {
        file,
        options: { threads },
      } = run
      await page.evaluate(file => bench.sum(file), file) // loads the file into the system's cache
      const { milliseconds } = await page.evaluate(file => bench.sum(file), file)
      const probe = threads => page.evaluate(threads => bench.probe(threads), threads)
      return { sumMs: milliseconds, limits: await probe(threads), limitsOfOne: await probe(1) }
    },
  })
