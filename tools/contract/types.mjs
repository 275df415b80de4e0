// Generates the public interfaces of options, with their docstrings, and the types sent to the engine's worker.
import { described, optionsOf, pick } from './load.mjs'
import { docstring, exportedBy, importsFor, written } from './text.mjs'

const shown = value => (typeof value === 'string' ? `\`${value}\`` : `${value}`)

/** The sentence about an option's default. */
export function defaultOf({ default: value, byDefault }) {
  if (value === undefined) return byDefault && `Default: ${byDefault}.`
  return `Default: ${shown(value)}${byDefault ?? ''}.`
}

const isWorthSaying = ({ least, above, most, below } = {}, { read } = {}) =>
  above !== undefined || most !== undefined || below !== undefined || least > 0 || (least === 0 && read.startsWith('number'))

/** The docstring of an option: its sentences, its range, its default. */
export function docOf(option, inWords) {
  const { doc, kind } = option
  const range = isWorthSaying(kind.range, kind) ? inWords(kind.range) : ''
  return [doc, range && `${range[0].toUpperCase()}${range.slice(1)}.`, defaultOf(option)].filter(Boolean).join(' ')
}

const quoted = names => names.map(name => `'${name}'`).join(' | ')

function interfaceOf({ name, doc, from, options }, inWords) {
  const parents = from.map(({ group, less }) => (less ? `Omit<${group.name}, ${quoted(less)}>` : group.name))
  const members = Object.entries(options).map(
    ([option, described]) =>
      `${docstring(docOf(described, inWords), '  ')}  ${option}${described.required ? '' : '?'}: ${described.kind.type}\n`,
  )
  const extending = parents.length > 0 ? ` extends ${parents.join(', ')}` : ''
  return `${docstring(doc)}export interface ${name}${extending} {\n${members.join('')}}\n`
}

/** [file, text] of the files of interfaces. */
export function typeFiles({ groups, inWords }) {
  const known = new Map([
    ...exportedBy(
      'types/audio.ts',
      'types/images.ts',
      'types/text.ts',
      'types/lab.ts',
      'types/lab-room.ts',
      'types/features.ts',
      'types/loading.ts',
      'types/results.ts',
      'types/web.ts',
    ),
    ['Tool', 'page/chat/messages.ts'],
    ...groups.map(({ name, file }) => [name, file]),
  ])
  return [...new Set(groups.map(({ file }) => file))].map(file => {
    const text = groups
      .filter(group => group.file === file)
      .map(group => interfaceOf(group, inWords))
      .join('\n')
    return [`bindings/js/${file}`, `${written('the public types of options.')}${importsFor(file, text, known)}\n${text}`]
  })
}

/** The groups whose options are sent to the worker, by the name of the sent type. */
const sent = {
  GenerateParameters: 'GenerateOptions',
  LoadParameters: 'LoadOptions',
  EmbeddingForm: 'EmbedOptions',
  TranscribeParameters: 'TranscribeOptions',
  DetokenizeParameters: 'DetokenizeOptions',
  ImageParameters: 'ImageBound',
  LogitsParameters: 'LogitsOptions',
  AttentionPartsParameters: 'AttentionPartsOptions',
  ValueNormsParameters: 'ValueNormsOptions',
  GatesParameters: 'GatesOptions',
  HiddenParameters: 'HiddenOptions',
  LensParameters: 'LensOptions',
  AttributeParameters: 'AttributeOptions',
}

/** Options that other parts of a call carry: how its text is tokenized and processed. */
const elsewhere = ['addSpecial', 'parseSpecial', 'adapters', 'edits']

/** [file, text] of the types that are sent. The engine has defaults for options that it reads itself, so these may be absent. */
export function wireFile({ groups }) {
  const file = 'wire/options.generated.ts'
  const byName = new Map(groups.map(group => [group.name, group]))
  const interfaces = Object.entries(sent).map(([name, of]) => {
    const options = optionsOf(byName.get(of))
    const isOfEngine = Object.values(options).some(({ engine }) => engine !== undefined)
    const members = pick(options, ({ here }) => !here)
      .filter(([option, { engine, always }]) =>
        isOfEngine ? engine !== undefined || (always && of === 'GenerateOptions') : !elsewhere.includes(option),
      )
      .map(([option, { kind, always, required, default: value, absent, engine }]) => {
        const isThere = always || required || (engine === undefined && (value !== undefined || absent !== undefined))
        return `  ${option}${isThere ? '' : '?'}: ${kind.wire ?? kind.type}\n`
      })
    return `/** Of \`${of}\`. */\nexport interface ${name} {\n${members.join('')}}\n`
  })
  const schema = Object.entries(byName.get('ConstraintOptions').options)
    .filter(([name]) => !['jsonSchema', 'regex', 'grammar', 'choices'].includes(name))
    .map(([name, { kind }]) => `  readonly ${name}?: ${kind.wire ?? kind.type}\n`)
  interfaces.push(
    `/** How the texts of a schema are written: SchemaOptions in src/grammar/schema/options.hpp. */\nexport interface SchemaOptions {\n${schema.join('')}}\n`,
  )
  const text = interfaces.join('\n')
  const known = new Map([
    ...exportedBy('types/text.ts', 'types/loading.ts', 'types/results.ts'),
    ...exportedBy('wire/text.ts'),
    ['WireChanges', 'wire/changes.ts'],
  ])
  return [
    `bindings/js/${file}`,
    `${written("options in the messages to the engine's worker.")}${importsFor(file, text, known)}\n${text}`,
  ]
}

/** A group and those that it is made of. */
export const everyGroup = group => [group, ...group.from.flatMap(({ group: parent }) => everyGroup(parent))]

/** A group, those that it is made of, and those that its options name. */
const groupsBelow = (group, byName) => [
  group,
  ...group.from.flatMap(({ group: parent }) => groupsBelow(parent, byName)),
  ...Object.values(group.options).flatMap(({ kind }) => {
    const inner = byName.get(/\((\w+)\)$/.exec(kind.read)?.[1])
    return inner ? groupsBelow(inner, byName) : []
  }),
]

/** [file, text] of the descriptions by which options are read: in the script that every page loads, and in the lab's. */
export function readerFiles({ calls, groups }) {
  const byName = new Map(groups.map(group => [described(group), group]))
  const parted = isLab => Object.entries(calls).filter(([, { lab = false }]) => lab === isLab)
  const below = entries => new Set(entries.flatMap(([, { options }]) => (options ? groupsBelow(options, byName) : [])))
  const [ofPage, ofLab] = [parted(false), parted(true)]
  const [inPage, inLab] = [below(ofPage), below(ofLab)]
  return [
    readerFile(
      'page/calls.generated.ts',
      ofPage,
      groups.filter(group => inPage.has(group) || !inLab.has(group)),
    ),
    readerFile(
      'page/lab/calls.generated.ts',
      ofLab,
      groups.filter(group => inLab.has(group)),
    ),
  ]
}

function readerFile(file, callsOf, groups) {
  const entry = ([name, { kind, required, absent, default: value }]) => {
    const standing = required
      ? 'required'
      : (absent ?? (value === undefined ? undefined : JSON.stringify(value).replaceAll('"', "'")))
    if (standing === undefined) return kind.read === name ? `  ${name},\n` : `  ${name}: ${kind.read},\n`
    return `  ${name}: [${kind.read}, ${standing}],\n`
  }
  const body = (parts, entries) => `{\n${parts.map(part => `  ...${part},\n`).join('')}${entries.map(entry).join('')}}`
  const table = (name, parts, entries) => `const ${name} = ${body(parts, entries)} satisfies Description\n`
  /** Options that other groups omit. */
  const spared = new Map(
    groups.flatMap(({ from }) => from.flatMap(({ group, less }) => (less ? everyGroup(group).map(one => [one, less]) : []))),
  )
  const isLess = (group, name) => spared.get(group)?.includes(name) ?? false
  /** Whether some group takes only part of its options, so that its own options form a separate table. */
  const isSplit = group =>
    Object.keys(optionsOf(group)).some(name => isLess(group, name)) && Object.keys(group.options).some(name => !isLess(group, name))
  const sharedOf = group => `${described(group)}InCommon`
  /** The tables of a group's options that are not in `less`; its own options, if shared, form a separate table. */
  const partsOf = (group, less) => {
    if (!Object.keys(optionsOf(group)).some(name => less.includes(name))) return [described(group)]
    const own = Object.keys(group.options).filter(name => !less.includes(name))
    const shared = own.length === 0 ? [] : isSplit(group) ? [sharedOf(group)] : [described(group)]
    return [...group.from.flatMap(({ group: parent }) => partsOf(parent, less)), ...shared]
  }
  /** A table of all options of a group, after the table of its own options that others share. */
  const tablesOf = ({ group, shape }) => {
    const { from, options } = group
    const parents = from.flatMap(({ group: parent, less = [] }) => partsOf(parent, less))
    if (!isSplit(group)) return shape(parents, Object.entries(options))
    const [shared, rest] = [false, true].map(less => Object.entries(options).filter(([name]) => isLess(group, name) === less))
    return `${table(sharedOf(group), [], shared)}${shape([...parents, sharedOf(group)], rest)}`
  }
  // The table of a single call is written in place.
  const read = callsOf.filter(([, { of, options }]) => options && of[0] !== 'Constraint') // which reads its signal itself
  const isPart = group =>
    groups.some(({ from }) => from.some(({ group: parent, less = [] }) => partsOf(parent, less).includes(described(group))))
  const isNamed = group =>
    group.name === 'ConstraintOptions' ||
    isPart(group) ||
    isSplit(group) ||
    groups.some(({ options }) => Object.values(options).some(({ kind }) => kind.read.includes(`(${described(group)})`))) ||
    read.filter(([, { options }]) => options === group).length > 1
  const descriptions = groups
    .filter(isNamed)
    .map(group => tablesOf({ group, shape: (parts, entries) => table(described(group), parts, entries) }))
  const lines = read.map(([call, { options, depending = [] }]) => {
    const open = depending.map(option => [option, { kind: optionsOf(options)[option].kind }])
    if (!isNamed(options)) {
      return `  ${call}: ${tablesOf({ group: options, shape: (parts, entries) => body(parts, [...entries, ...open]) })},\n`
    }
    return `  ${call}: ${open.length > 0 ? body([described(options)], open) : described(options)},\n`
  })
  const text =
    `${descriptions.join('\n').replace('const constraintOptions', '/** The notations of a constraint, and the options of schemas. */\nexport const constraintOptions')}\n` +
    `/** The options of every call, by the name of the call. */\nexport const calls = {\n${lines.join('')}} satisfies Record<string, Description>\n`
  const readers = exportedBy(
    'page/readers.ts',
    'page/kinds.ts',
    'page/constraints.ts',
    'page/edits.ts',
    'page/prompts.ts',
    'page/chat/tools.ts',
    ...(file === 'page/lab/calls.generated.ts' ? ['page/lab/kinds.ts'] : []),
  )
  const types = exportedBy(
    'types/audio.ts',
    'types/text.ts',
    'types/loading.ts',
    'types/results.ts',
    'types/lab-room.ts',
    'types/features.ts',
  )
  const known = new Map([...types, ...readers])
  const isType = name => /^[A-Z]/.test(name)
  return [
    `bindings/js/${file}`,
    `${written('how the options of every call are checked and copied.')}${importsFor(file, text, known, isType)}\n${text}`,
  ]
}
