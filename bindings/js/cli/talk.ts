// heed chat: a conversation at a terminal, or through pipes, with one message per line.
import { generateOptions, loadOptions, readArguments, textOf, thinkOf } from './arguments.js'
import { Conversation } from './conversation.js'
import { draftOption, readText, templateOf, withModel } from './files.js'
import { formOptions } from './form.js'
import { Lines } from './lines.js'
import { mediaFilesOf, projectorOption } from './media.js'
import { commandOptions } from './options.generated.js'
import { complain, tell, write } from './output.js'

export async function chat(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.chat.options, 1)
  const [source] = positionals // without one, the bundled model
  const sampling = { ...generateOptions(values), ...formOptions(values) }
  const think = thinkOf(values)
  const files = mediaFilesOf(values)
  const template = textOf(values, 'template')
  const given = template === undefined ? undefined : readText(template)
  return withModel(source, { ...loadOptions(values), ...projectorOption(values), ...draftOption(values) }, async model => {
    await templateOf(model, given)
    const conversation = new Conversation(model, model.info.maskToken ? undefined : await model.session(), {
      ...sampling,
      template: given,
      think,
    })
    const load = textOf(values, 'load')
    if (load !== undefined) await conversation.load(load)
    for (const file of files) await conversation.add(file)
    const system = textOf(values, 'system')
    if (system !== undefined) conversation.system = system
    return converse(conversation)
  })
}

/** Runs until the last line, or /exit. Through pipes, the exit status is 1 if any line failed. */
async function converse(conversation: Conversation): Promise<number> {
  const isTerminal = Boolean(process.stdin.isTTY)
  if (isTerminal) tell('/help lists the commands, Ctrl-C stops an answer, Ctrl-D quits')
  let status = 0
  const lines = new Lines(process.stdin, process.stdout, () => conversation.stop())
  for (;;) {
    const line = await lines.next(isTerminal ? '> ' : '')
    if (line === undefined) break
    try {
      if ((await conversation.take(line)) === 'exit') break
    } catch (error) {
      complain(error as Error)
      if (!isTerminal) status = 1
    }
  }
  lines.close()
  if (isTerminal) write('\n')
  return lines.isInterrupted ? 130 : status
}
