// Generates tables of the options that the commands, the other interfaces and the pages' sliders offer.
import { optionsOf, pick } from './load.mjs'
import { docstring, exportedBy, importsFor, spelled, written } from './text.mjs'
import { docOf } from './types.mjs'

const groupNamed = ({ groups }, name) => groups.find(group => group.name === name)
const entryOf = (name, value) => (name === value ? name : `${name}: ${value}`)

/** The options that each group of arguments is of. */
export const groupsOfArguments = {
  sampling: 'GenerateOptions',
  form: 'GenerateOptions',
  loading: 'LoadOptions',
  embedding: 'EmbedOptions',
  hub: 'HubOptions',
  serving: 'LoadOptions',
  transcribing: 'TranscribeOptions',
}

/** How arguments of a kind are given and read. */
const defaultsOf = ({ type, range, words }) =>
  range
    ? { value: 'N', read: 'number' }
    : words
      ? { value: words.join('|'), read: 'text' }
      : type === 'boolean'
        ? { read: 'flag' }
        : {}

/** The options of each group of arguments, as [name, option, argument]. */
export function argumentsOf(contract) {
  return Object.entries(groupsOfArguments).map(([group, name]) => [
    group,
    pick(optionsOf(groupNamed(contract, name)), ({ argument }) => argument?.group === group).map(([option, { argument, kind }]) => [
      argument.name ?? spelled(option, '-'),
      option,
      { ...defaultsOf(kind), ...argument },
    ]),
  ])
}

const titles = {
  sampling: 'Sampling',
  form: 'Format',
  media: 'Media',
  loading: 'Loading',
  embedding: 'Vectors',
  hub: 'Hub',
  serving: 'Serving',
  transcribing: 'Sound',
}

/** Help text: options after a title, in lines that are not too long. */
function helpOf(title, entries) {
  const lines = [title]
  for (const [name, , { short, value, many, note }] of entries) {
    const notes = [many && 'repeatable', note].filter(Boolean).join('; ')
    const said = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}${notes && ` (${notes})`}`
    const line = lines.at(-1)
    if (line !== title && line.length + 3 + said.length > 132) lines.push(''.padEnd(title.length) + said)
    else lines[lines.length - 1] = line + (line === title ? '' : '   ') + said
  }
  return lines.join('\n')
}

/** Entries as the options of `parseArgs`. */
const parsedBy = entries =>
  entries.flatMap(([name, , { short, alias, value, many }]) => {
    const config = `{ type: '${value ? 'string' : 'boolean'}'${short ? `, short: '${short}'` : ''}${many ? ', multiple: true' : ''} }`
    return [name, alias].filter(Boolean).map(one => `'${one}': ${config}`)
  })

function commandFile(contract) {
  const tables = argumentsOf(contract).map(([group, entries]) => {
    const nameOf = option => entries.find(([, one]) => one === option)[0]
    const lines = entries.flatMap(([name, option, { alias, read, needs, alone }]) => {
      const rules = `${alone ? ', alone: true' : ''}${needs ? `, needs: '${nameOf(needs)}'` : ''}`
      return [name, alias].filter(Boolean).map(one => `  '${one}': { option: '${option}', read: '${read}'${rules} },\n`)
    })
    return `export const ${group}Options = {\n${lines.join('')}} as const\n`
  })
  const entriesOf = own => Object.entries(own).map(([name, option]) => [name, undefined, option])
  const groups = new Map([...argumentsOf(contract), ['media', entriesOf(contract.mediaArguments)]])
  const parsed = [...groups].map(([group, entries]) => `const ${group}Arguments = { ${parsedBy(entries).join(', ')} } as const\n`)
  const commands = Object.entries(contract.commands).map(([name, { own, takes }]) => {
    const help = [
      ...(Object.keys(own).length > 0 ? [helpOf('', entriesOf(own))] : []),
      ...takes.map(group => helpOf(`${titles[group]}:`.padEnd(10), groups.get(group))),
    ]
    const options = [...parsedBy(entriesOf(own)), ...takes.map(group => `...${group}Arguments`)]
    return `  ${name}: { options: { ${options.join(', ')} }, help: ${JSON.stringify(help.join('\n'))} },\n`
  })
  const text = `${tables.join('\n')}\n${parsed.join('')}\n/** The options of each command, and the end of its help. */\nexport const commandOptions = {\n${commands.join('')}} as const\n`
  return ['bindings/js/cli/options.generated.ts', `${written('the arguments of the commands, by their names.')}\n${text}`]
}

function openaiFile(contract) {
  const file = 'facades/openai/offered.generated.ts'
  const offered = pick(optionsOf(groupNamed(contract, 'GenerateOptions')), ({ openai }) => openai)
  const isOfForm = ([, { here }]) => here === true
  const own = ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty', 'logitBias', 'seed', 'stop'] // with OpenAI's names
  const params = entries =>
    entries
      .map(
        ([
          name,
          {
            openai: { type, doc },
          },
        ]) => {
          const said = doc && (own.includes(name) ? doc : `Extension: ${doc}.`)
          return `${docstring(said, '  ')}  ${spelled(name, '_')}?: ${type} | null\n`
        },
      )
      .join('')
  const readers = entries => entries.map(([name, { openai }]) => `  ${entryOf(spelled(name, '_'), openai.read)},\n`).join('')
  const sampling = offered.filter(one => !isOfForm(one)),
    form = offered.filter(isOfForm)
  const schemas = pick(groupNamed(contract, 'ConstraintOptions').options, ({ aiSdk }) => aiSdk?.own)
  const text =
    `/** Parameters that chats and plain completions share. */\nexport interface OfferedParams {\n${params(sampling)}}\n\n` +
    `/** Parameters for answers in JSON. */\nexport interface OfferedFormParams {\n${params(form)}}\n\n` +
    `export const offered = {\n${readers(sampling)}}\n\nexport const offeredForm = {\n${readers(form)}}\n\n` +
    `/** Options of schemas that a client passes under Heed's own names. */\nexport const ofSchemas = {\n${schemas.map(([name, { kind }]) => `  ${entryOf(name, kind.read)},\n`).join('')}}\n`
  const known = exportedBy('facades/openai/read.ts', 'facades/openai/values.ts')
  return [
    `bindings/js/${file}`,
    `${written("OpenAI's parameters for options, and how they are read.")}${importsFor(file, text, known, () => false)}\n${text}`,
  ]
}

function aiSdkFile(contract) {
  const options = optionsOf(groupNamed(contract, 'ChatOptions'))
  const own = pick(options, ({ aiSdk }) => aiSdk?.own)
  const members = own.map(
    ([name, option]) =>
      `${docstring(docOf(option, contract.inWords), '  ')}  ${name}?: ${option.aiSdk.own === true ? option.kind.type : option.aiSdk.own}\n`,
  )
  const settings = pick(options, ({ aiSdk }) => typeof aiSdk === 'string').map(([name, { aiSdk }]) => `  ${name}: '${aiSdk}',\n`)
  const text =
    `import type { JSONValue } from '@ai-sdk/provider'\n\n` +
    `/** \`providerOptions.heed\` of language models: options of \`Model.chat\` that the AI SDK does not have. */\n` +
    `export type HeedLanguageModelOptions = {\n${members.join('')}}\n\n` +
    `export const ownNames: Record<keyof HeedLanguageModelOptions, true> = {\n${own.map(([name]) => `  ${name}: true,\n`).join('')}}\n\n` +
    `/** The SDK's setting for each option that is one. */\nexport const settings = {\n${settings.join('')}} as const\n`
  return ['bindings/js/facades/ai-sdk/offered.generated.ts', `${written('the options of a chat as the AI SDK has them.')}${text}`]
}

function promptApiFile(contract) {
  const options = optionsOf(groupNamed(contract, 'ChatOptions'))
  const names = pick(options, ({ promptApi }) => promptApi).map(([name]) => name)
  const { temperature, topK } = options
  const text =
    `/** The options of a chat that these interfaces take under the same names. */\nexport const offered = [\n${names.map(name => `  '${name}',\n`).join('')}] as const\n\n` +
    `export const standard = { temperature: ${temperature.default}, topK: ${topK.default} } as const\n`
  return [
    'bindings/js/facades/browser-ai/offered.generated.ts',
    `${written("the chat options that the browsers' AI interfaces offer.")}\n${text}`,
  ]
}

function langChainFile(contract) {
  const named = ['signal', 'tools', 'toolChoice', 'onToken'] // by LangChain
  const loops = ['maxSteps', 'continueFinal'] // done by LangChain's own agents
  const names = Object.keys(optionsOf(groupNamed(contract, 'ChatOptions'))).filter(name => ![...named, ...loops].includes(name))
  return [
    'bindings/js/facades/langchain/offered.generated.ts',
    `${written('the options of a chat that LangChain has no names for.')}\n` +
      `export const offered = [\n${names.map(name => `  '${name}',\n`).join('')}] as const\n`,
  ]
}

/** The sliders of options: those of sampling come first. */
function sliderFiles(contract) {
  const sliders = pick(optionsOf(groupNamed(contract, 'GenerateOptions')), ({ slider }) => slider)
    .sort(([, one], [, other]) => other.engine.startsWith('sampling.') - one.engine.startsWith('sampling.'))
    .map(([option, { slider, kind, default: standard }]) => ({
      option,
      min: kind.range?.least,
      max: kind.range?.most,
      value: standard,
      ...slider,
    }))
  const valueOf = value => (typeof value === 'string' ? `'${value}'` : value)
  const literalOf = entries =>
    `{ ${Object.entries(entries)
      .map(([name, value]) => `${name}: ${valueOf(value)}`)
      .join(', ')} }`
  const inPage = sliders.map(({ drawn: _, ...slider }) => `  ${literalOf(slider)},\n`)
  const inPanel = sliders
    .filter(({ drawn }) => drawn !== undefined)
    .map(({ option, label, hint: _, drawn: max, ...slider }) => `  ${option}: ${literalOf({ label, ...slider, max })},\n`)
  const first = written('the sliders of options.')
  return [
    ['web/support/sliders.generated.ts', `${first}\nexport const sliders = [\n${inPage.join('')}] as const\n`],
    ['bindings/viewer/panels/sliders.generated.ts', `${first}\nexport const sliders = {\n${inPanel.join('')}} as const\n`],
  ]
}

export const offerFiles = contract => [
  commandFile(contract),
  openaiFile(contract),
  aiSdkFile(contract),
  promptApiFile(contract),
  langChainFile(contract),
  ...sliderFiles(contract),
]
