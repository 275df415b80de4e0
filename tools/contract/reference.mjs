// Generates the reference in docs/reference, a page for each call: options come from the contract; description, signature, examples
// and what it gives from the declarations. Other pages have the types, and the properties of the objects that calls return.
import { declaredTypes, docParts, parsed, typePages, typesText, typeWriter } from './declared-types.mjs'
import { optionsOf } from './load.mjs'
import { written } from './text.mjs'
import { propertiesText } from './properties.mjs'
import { docOf, everyGroup } from './types.mjs'

/** Where the calls of each receiver are declared: files, each with the name of the class or the interface. */
const declared = {
  heed: [['bindings/js/index.ts']],
  Model: [
    ['bindings/js/page/model.ts', 'Model'],
    ['bindings/js/page/inspectable.generated.ts', 'Inspectable'],
  ],
  Session: [['bindings/js/page/session.ts', 'Session']],
  modelStore: [['bindings/js/types/store.ts', 'ModelStore']],
  Constraint: [['bindings/js/types/results.ts', 'Constraint']],
}

/** The receiver of a call, as text. */
const receivers = { heed: '', Model: 'model.', Session: 'session.', modelStore: 'modelStore.', Constraint: 'constraint.' }

/** The functions, or the methods of a class or an interface, of a file: {name, doc, signatures}. */
function declarationsIn([path, owner], textOf) {
  const { text, nodes, docBefore } = parsed(path, textOf(path))
  const found = new Map()
  const add = (name, start, signature, returned) => {
    const one = found.get(name) ?? { name, doc: undefined, signatures: [], returned: '' }
    one.doc ??= docBefore(start)
    one.signatures.push(signature.trim().replace(/^ {2}/gm, ''))
    if (returned) one.returned += text.slice(returned.start, returned.end)
    found.set(name, one)
  }
  if (owner === undefined) {
    for (const { node, start } of nodes) {
      if (node.type === 'FunctionDeclaration') add(node.id.name, start, text.slice(node.start, node.body.start), node.returnType)
      if (node.type === 'VariableDeclaration') {
        const [{ id }] = node.declarations
        const type = id.typeAnnotation?.typeAnnotation
        add(id.name, start, `${node.kind} ${text.slice(id.start, type?.end ?? id.end)}`, type?.returnType)
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
      const returned = member.value?.returnType ?? member.returnType
      add(member.key.name, start, text.slice(start, member.value?.body?.start ?? member.end), returned)
    }
  }
  // Below overloads, the signature of the implementation is not one of them.
  for (const one of found.values()) if (owner === 'Model' && one.signatures.length > 1) one.signatures.pop()
  return found
}

const cell = text => text.replaceAll('\n', ' ').replaceAll('|', '\\|')

/** The result of an object that one iterates or awaits. */
const awaited = { Generation: 'GenerateResult', Chat: 'ChatResult' }

/** What a call gives: the tables of its result, and of what it passes on while it runs. */
function given(types, returned, events) {
  const { namesIn, link, code, table } = typeWriter(types)
  const results = namesIn(returned.replace(/\b(?:Generation|Chat)\b/g, name => awaited[name])).map(name => types.get(name))
  const tables = results.filter(({ members }) => members?.length > 0)
  const passed = Object.entries(events).map(([from, type]) => `- \`${from}\`: ${code(type)}`)
  const unions = Object.values(events).filter(type => types.get(type)?.kinds)
  return [
    ...(tables.length > 0 ? ['## What it gives'] : []),
    ...tables.flatMap(one => [
      `[\`${one.name}\`](${link(one.name)})${one.from?.length > 0 ? `, with the fields of ${one.from.map(code).join(', ')}` : ''}:`,
      table(one),
    ]),
    ...(passed.length > 0 ? ['## While it runs', passed.join('\n')] : []),
    ...unions.flatMap(name => [`[\`${name}\`](${link(name)}):`, table(types.get(name))]),
  ]
}

/** Throws for a call without an example. */
function page({ contract, errorCodes, types }, name, call, of, { doc, signatures, returned }) {
  const { sentences, examples } = docParts(doc)
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
      written("edit api/ or the call's docstring instead. -->", '<!--').trimEnd(),
      `# ${title}`,
      sentences,
      `\`\`\`ts\n${signatures.map(one => one.replace(/^async |^export |(?<=\n)async /g, '')).join('\n')}\n\`\`\``,
      `## ${examples.length > 1 ? 'Examples' : 'Example'}`,
      ...examples.map(example => `\`\`\`ts\n${example}\n\`\`\``),
      ...(rows.length > 0 ? [`## Options: ${options.name}`, `| option | type | |\n|---|---|---|\n${rows.join('\n')}`] : []),
      ...given(types, returned, events),
      ...(codes.length > 0 ? ['## Errors', `${codes.map(code => `[\`${code}\`](../troubleshooting.md#${code})`).join(', ')}`] : []),
    ].join('\n\n') + '\n',
  ]
}

/** [file, text] of the pages. `textOf`: the current text of a file, which may itself be generated. */
export function referenceFiles(contract, textOf) {
  const types = declaredTypes(textOf)
  const errors = types.get('HeedErrorCode')
  const errorCodes = [...errors.code.matchAll(/'([\w-]+)'/g)].map(([, code]) => code)
  errors.sentences = errors.sentences.replace(/^- (`([\w-]+)`):/gm, '- [$1](../troubleshooting.md#$2):')
  // Options of calls are on the pages of the calls.
  const shown = new Set(Object.values(contract.calls).flatMap(({ options }) => (options ? everyGroup(options) : [])))
  for (const { name } of shown) types.delete(name)
  const declarations = Object.fromEntries(
    Object.entries(declared).map(([of, places]) => [of, new Map(places.flatMap(where => [...declarationsIn(where, textOf)]))]),
  )
  const pages = Object.entries(contract.calls).flatMap(([name, call]) =>
    call.of.map(of => {
      const declaration = declarations[of].get(name)
      if (!declaration) throw new Error(`${receivers[of]}${name} is declared nowhere`)
      return page({ contract, errorCodes, types }, name, call, of, declaration)
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
      `${written('the calls of the package. -->', '<!--')}\n# Reference\nThe calls of the package, a page for each. What they take and return: ${Object.entries(
        typePages,
      )
        .map(([name, title]) => `[${title}](${name}.md)`)
        .join(
          ', ',
        )}. The properties of what calls return: [Properties](properties.md). Examples run as they stand (\`tests/package/reference.test.js\`).\n\n${list.join('\n')}\n`,
    ],
    ...Object.entries(typePages).map(([name, title]) => [
      `docs/reference/${name}.md`,
      `${written('edit the docstrings of the types instead. -->', '<!--')}\n# ${title}\nThe types of arguments and results, as the package exports them. Options are on the [pages of the calls](README.md).\n\n${typesText(types, name)}\n`,
    ]),
    [
      'docs/reference/properties.md',
      `${written('edit the docstrings of the classes instead. -->', '<!--')}\n# Properties\nThe properties of the objects that calls return, and of errors. Their methods are on the [pages of the calls](README.md).\n\n${propertiesText(types, textOf)}\n`,
    ],
    ...pages,
  ]
}
