// heed run: writes a prompt and its continuation, or only a constrained text, to stdout as it is generated, and statistics to
// stderr.
import { generateOptions, loadOptions, readArguments, textOf } from './arguments.js'
import { draftOption, readInput, withModel } from './files.js'
import { formOptions } from './form.js'
import { checkMarks, mediaFilesOf, projectorOption, promptWith, readMedium } from './media.js'
import { commandOptions } from './options.generated.js'
import { tell, write, writeText } from './output.js'

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.run.options, 1)
  const [source] = positionals // without one, the bundled model
  const form = formOptions(values)
  const isConstrained = Object.values(form).some(one => one !== undefined)
  const files = mediaFilesOf(values)
  const prompt = textOf(values, 'prompt') ?? (await readInput('prompt; give one as -p TEXT'))
  checkMarks(prompt, files)
  return withModel(source, { ...loadOptions(values), ...projectorOption(values), ...draftOption(values) }, async model => {
    const media = await Promise.all(files.map(file => readMedium(file, model)))
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    const generation = model.generate(promptWith(prompt, media), {
      ...generateOptions(values),
      ...form,
      stopAtEnd: !values['ignore-end'],
      parseSpecial: Boolean(values['parse-special']),
      signal: stop.signal,
    })
    let before = isConstrained ? '' : prompt // the text before the next token
    for await (const { text } of generation) {
      writeText(before + text)
      before = ''
    }
    const { timings, finishReason, seed } = await generation
    writeText(before)
    write('\n')
    const rate = (tokens: number, perSecond: number) => `${tokens} tokens${tokens > 0 ? `, ${perSecond.toFixed(1)} tokens/s` : ''}`
    tell(`prompt: ${rate(timings.promptTokens - timings.reusedTokens, timings.prefillTokensPerSecond)}`)
    tell(`generated: ${rate(timings.generatedTokens, timings.decodeTokensPerSecond)}`)
    if (timings.speculation === 'drafts') tell(`drafts: ${timings.draftedTokens} tokens, ${timings.acceptedDrafts} right`)
    const { threads, target, kvCache } = model.info
    tell(`finish: ${finishReason}; seed: ${seed}; threads: ${threads}; target: ${target}; kv: ${kvCache}`)
    if (isConstrained && finishReason === 'length') throw new Error('the text was cut off before it satisfied the constraint')
    return finishReason === 'abort' ? 130 : 0
  })
}
