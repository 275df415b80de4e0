// Generates the reference in docs/reference, a page for each call: options come from the contract; description, signature and
// examples from the declaration.
import { parseSync } from 'rolldown/utils'
import { optionsOf } from './load.mjs'
import { written } from './text.mjs'
import { docOf } from './types.mjs'

/** Where the calls of each receiver are declared: files, each with the name of the class or the interface. */
const declared = {
  heed: [['bindings/js/index.ts']],
  Model: [
    ['bindings/js/page/model.ts', 'Model'],
    ['bindings/js/page/inspectable.ts', 'Inspectable'],
  ],
  Session: [['bindings/js/page/session.ts', 'Session']],
  modelStore: [['bindings/js/types/store.ts', 'ModelStore']],
  Constraint: [['bindings/js/types/results.ts', 'Constraint']],
}

/** The receiver of a call, as text. */
const receivers = { heed: '', Model: 'model.', Session: 'session.', modelStore: 'modelStore.', Constraint: 'constraint.' }

/** The functions, or the methods of a class or an interface, of a file: {name, doc, signatures}. */
function declarationsIn([path, owner], textOf) {
  const text = textOf(path)
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`)
  const docBefore = start => {
    const before = comments.filter(({ type, end }) => type === 'Block' && end <= start).at(-1)
    return before?.value.startsWith('*') && text.slice(before.end, start).trim() === '' ? before.value : undefined
  }
  const found = new Map()
  const add = (name, start, signature) => {
    const one = found.get(name) ?? { name, doc: undefined, signatures: [] }
    one.doc ??= docBefore(start)
    one.signatures.push(signature.trim().replace(/^ {2}/gm, ''))
    found.set(name, one)
  }
  const nodes = program.body.map(node => ({ node: node.declaration ?? node, start: node.start }))
  if (owner === undefined) {
    for (const { node, start } of nodes) {
      if (node.type === 'FunctionDeclaration') add(node.id.name, start, text.slice(node.start, node.body.start))
      if (node.type === 'VariableDeclaration') {
        const [{ id }] = node.declarations
        add(id.name, start, `${node.kind} ${text.slice(id.start, id.typeAnnotation?.end ?? id.end)}`)
      }
    }
  }
  for (const { node } of nodes.filter(({ node }) => owner !== undefined && node.id?.name === owner)) {
    for (const member of node.body.body) {
      if (
        !['MethodDefinition', 'TSMethodSignature'].includes(member.type) ||
        member.key.type !== 'Identifier' ||
        member.kind === 'get'
      )
        continue
      const { start } = member
      add(member.key.name, start, text.slice(start, member.value?.body?.start ?? member.end))
    }
  }
  // Below overloads, the signature of the implementation is not one of them.
  for (const one of found.values()) if (owner === 'Model' && one.signatures.length > 1) one.signatures.pop()
  return found
}

/** A docstring as {sentences, examples}. */
function parts(doc = '') {
  const lines = doc.split('\n').map(line => line.replace(/^\s*\*? ?/, '').trimEnd())
  const [sentences, ...examples] = lines.join('\n').split(/^@example$/m)
  return { sentences: sentences.trim(), examples: examples.map(example => example.trim()) }
}

const cell = text => text.replaceAll('\n', ' ').replaceAll('|', '\\|')

/** Throws for a call without an example. */
function page(contract, errorCodes, name, call, of, { doc, signatures }) {
  const { sentences, examples } = parts(doc)
  const { options, events = {} } = call
  if (sentences === '' || examples.length === 0) throw new Error(`${receivers[of]}${name} has no docstring with an example`)
  const rows = Object.entries(options ? optionsOf(options) : {}).map(
    ([option, described]) =>
      `| \`${option}\`${described.required ? ' (required)' : ''} | \`${cell(described.kind.type)}\` | ${cell(docOf(described, contract.inWords))} |`,
  )
  const codes = errorCodes.filter(code => sentences.includes(`\`${code}\``))
  const title = receivers[of] + name
  return [
    `docs/reference/${title}.md`,
    [
      written('what stands here is changed there, or in the docstring of the call. -->', '<!--').trimEnd(),
      `# ${title}`,
      sentences,
      `\`\`\`ts\n${signatures.map(one => one.replace(/^async |^export |(?<=\n)async /g, '')).join('\n')}\n\`\`\``,
      `## ${examples.length > 1 ? 'Examples' : 'Example'}`,
      ...examples.map(example => `\`\`\`ts\n${example}\n\`\`\``),
      ...(rows.length > 0 ? [`## Options: ${options.name}`, `| option | type | |\n|---|---|---|\n${rows.join('\n')}`] : []),
      ...(Object.keys(events).length > 0
        ? [
            '## While it runs',
            Object.entries(events)
              .map(([from, type]) => `- \`${from}\`: \`${type}\``)
              .join('\n'),
          ]
        : []),
      ...(codes.length > 0 ? ['## Errors', `${codes.map(code => `\`${code}\``).join(', ')}; see \`HeedErrorCode\`.`] : []),
    ].join('\n\n') + '\n',
  ]
}

/** [file, text] of the pages. `textOf`: the current text of a file, which may itself be generated. */
export function referenceFiles(contract, textOf) {
  const errors = textOf('bindings/js/wire/errors.ts')
  const codes = [
    ...errors
      .split('export type HeedErrorCode')[1]
      .split('\n\n')[0]
      .matchAll(/'([\w-]+)'/g),
  ].map(([, code]) => code)
  const declarations = Object.fromEntries(
    Object.entries(declared).map(([of, places]) => [of, new Map(places.flatMap(where => [...declarationsIn(where, textOf)]))]),
  )
  const pages = Object.entries(contract.calls).flatMap(([name, call]) =>
    call.of.map(of => {
      const declaration = declarations[of].get(name)
      if (!declaration) throw new Error(`${receivers[of]}${name} is declared nowhere`)
      return page(contract, codes, name, call, of, declaration)
    }),
  )
  const list = pages.map(([path, text]) => {
    const title = path.slice('docs/reference/'.length, -3)
    const sentence = text
      .split('\n\n')[2]
      .replaceAll('\n', ' ')
      .split(/(?<=\.) /)[0]
    return `- [${title}](${title}.md): ${sentence}`
  })
  return [
    [
      'docs/reference/README.md',
      `${written('the calls of the package. -->', '<!--')}\n# Reference\nThe calls of the package, a page for each. Examples run as they stand (\`tests/package/reference.test.js\`).\n\n${list.join('\n')}\n`,
    ],
    ...pages,
  ]
}
