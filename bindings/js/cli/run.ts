// heed run: writes a prompt and its continuation to stdout as the tokens arrive, and statistics to stderr.
import { flag, generateOptions, loadArguments, loadOptions, readArguments, samplingArguments, text, textOf } from './arguments.js'
import { modelOf, readInput, withModel } from './files.js'
import { formArguments, formOptions } from './form.js'
import { tell, write, writeText } from './output.js'

const options = {
  ...loadArguments, ...samplingArguments, ...formArguments, 'prompt': { ...text, short: 'p' }, 'ignore-end': flag, 'parse-special': flag,
} as const

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options, 1)
  const source = modelOf(positionals)
  const sampling = { ...generateOptions(values), ...formOptions(values) }
  const prompt = textOf(values, 'prompt') ?? await readInput('prompt; give one as -p TEXT')
  return withModel(source, loadOptions(values), async model => {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const generation = model.generate(prompt, {
      ...sampling, stopAtEnd: !values['ignore-end'], parseSpecial: Boolean(values['parse-special']), signal: stop.signal,
    })
    let isFirst = true
    for await (const { text } of generation) {
      if (isFirst) writeText(prompt)
      isFirst = false
      writeText(text)
    }
    const { timings, finishReason, seed } = await generation
    if (isFirst) writeText(prompt)
    write('\n')
    const rate = (tokens: number, perSecond: number) => `${tokens} tokens${tokens > 0 ? `, ${perSecond.toFixed(1)} tokens/s` : ''}`
    tell(`prompt: ${rate(timings.promptTokens - timings.reusedTokens, timings.prefillTokensPerSecond)}`)
    tell(`generated: ${rate(timings.generatedTokens, timings.decodeTokensPerSecond)}`)
    const { threads, target, kvCache } = model.info
    tell(`finish: ${finishReason}; seed: ${seed}; threads: ${threads}; target: ${target}; kv: ${kvCache}`)
    return finishReason === 'abort' ? 130 : 0
  })
}
