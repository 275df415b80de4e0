// heed render: the prompt for a conversation, with its control tokens.
import { loadOptions, readArguments, textOf, thinkOf, UsageError } from './arguments.js'
import { readConversation, readInput, readText, templateOf, withModel } from './files.js'
import { commandOptions } from './options.generated.js'
import { write, writeStyled, writeText } from './output.js'

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g

/**
 * The value of a JSON text, with bigints for integers that a number would round. JSON.parse gets these as marked strings.
 */
function exact(json: string): unknown {
  JSON.parse(json) // throws the error for the original text
  const marked = json.replace(tokens, (token, colon?: string) =>
    colon !== undefined
      ? token
      : token[0] === '"'
        ? token.replace(/^"\\u0000/, '$&\\u0000')
        : /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))
          ? JSON.stringify(`\0${token}`)
          : token,
  )
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value !== 'string' || value[0] !== '\0' ? value : value[1] === '\0' ? value.slice(1) : BigInt(value.slice(1)),
  )
}

export async function render(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.render.options, 2)
  const think = thinkOf(values)
  if (values.ids && values.json) throw new UsageError('--ids and --json cannot be used together')
  const [source, file = '-'] = positionals // without a model, the bundled one
  const { messages, tools } = readConversation(
    file === '-' ? 'stdin' : file,
    file === '-' ? await readInput('conversation; give its file') : readText(file),
    exact,
  )
  const given = textOf(values, 'template')
  return withModel(source, loadOptions(values), async model => {
    const template = await templateOf(model, given === undefined ? undefined : readText(given))
    const continueFinal = Boolean(values['continue-final'])
    const parts = await template.renderAsync(messages, {
      think,
      tools: tools as never,
      continueFinal,
      addGenerationPrompt: continueFinal ? undefined : !values['no-generation-prompt'],
      ...(values.now !== undefined && { now: textOf(values, 'now')! }),
    })
    if (values.json) writeText(`${JSON.stringify(parts, undefined, 2)}\n`)
    else if (values.ids) write(`${(await model.tokenize(parts, { addSpecial: false })).join(',')}\n`)
    else {
      for (const part of parts)
        if (typeof part === 'string') writeText(part)
        else writeStyled(36, part.control)
      if (process.stdout.isTTY) write('\n')
    }
    return 0
  })
}
