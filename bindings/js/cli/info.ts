// heed info: the properties and capabilities of a model, as JSON.
import { loadOptions, readArguments } from './arguments.js'
import { withModel } from './files.js'
import { commandOptions } from './options.js'
import { writeText } from './output.js'

export async function info(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.info.options, 1)
  return withModel(positionals[0], loadOptions(values), async model => {
    const { chatTemplates, ...rest } = model.info
    const chat = chatTemplates.default === undefined ? undefined : (await model.chatTemplate()).info
    writeText(`${JSON.stringify({ ...rest, chatTemplates: Object.keys(chatTemplates), chat }, undefined, 2)}\n`)
    return 0
  })
}
