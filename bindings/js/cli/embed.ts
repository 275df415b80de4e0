// heed embed: the vectors of texts, as JSON with one vector per line, or as f32 in a file.
import { writeFileSync } from 'node:fs'
import { loadOptions, optionsFrom, readArguments, textOf, textsOf, UsageError } from './arguments.js'
import { modelOf, readInput, withModel } from './files.js'
import { commandOptions, embeddingOptions } from './options.generated.js'
import { write } from './output.js'

function ids(list: string): number[] {
  const numbers = list.split(',').map(id => (id.trim() === '' ? NaN : Number(id)))
  if (numbers.some(Number.isNaN)) throw new UsageError(`--tokens: '${list}' is not a list of ids separated by commas`)
  return numbers
}

export async function embed(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.embed.options, 1)
  const source = modelOf(positionals)
  const inArguments = [...textsOf(values, 'prompt'), ...textsOf(values, 'tokens').map(ids)]
  const prompts =
    inArguments.length > 0 ? inArguments : (await readInput('text; give one as -p TEXT')).split(/\r?\n/).filter(line => line !== '')
  return withModel(source, loadOptions(values), async model => {
    const vectors = await model.embed(prompts, optionsFrom(values, embeddingOptions))
    const out = textOf(values, 'out')
    const bytes = vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))
    if (out !== undefined) writeFileSync(out, Buffer.concat(bytes))
    else for (const vector of vectors) write(`${JSON.stringify(Array.from(vector))}\n`)
    return 0
  })
}
