// heed info: the properties and capabilities of a model, as JSON.
import { HeedError } from 'heed'
import { loadOptions, readArguments } from './arguments.js'
import { type Model, withModel } from './files.js'
import { commandOptions } from './options.generated.js'
import { writeText } from './output.js'

/** What the chat template supports, or why it cannot be used. */
async function chatOf(model: Model) {
  try {
    return (await model.chatTemplate()).info
  } catch (error) {
    if (HeedError.from(error).code !== 'template') throw error
    return { error: HeedError.from(error).message }
  }
}

export async function info(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.info.options, 1)
  return withModel(positionals[0], loadOptions(values), async model => {
    const { chatTemplates, ...rest } = model.info
    const chat = chatTemplates.default === undefined ? undefined : await chatOf(model)
    writeText(`${JSON.stringify({ ...rest, chatTemplates: Object.keys(chatTemplates), chat }, undefined, 2)}\n`)
    return 0
  })
}
