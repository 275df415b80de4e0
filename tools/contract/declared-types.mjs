// The public types that calls take and give, as the reference shows them: read from their declarations, with their docstrings.
import { parseSync } from 'rolldown/utils'

/** The pages of the reference that have types, and their titles. */
export const typePages = {
  'types-chat': 'Types of chats',
  'types-texts': 'Types of texts and models',
  'types-loading': 'Types of loading, storing and errors',
  'types-lab': 'Types of the lab',
}

/**
 * The files of public types below bindings/js, and the page of each; of some files only these types, because the package exports no
 * others from there.
 */
const sources = [
  ['types-chat', 'page/chat/messages.ts'],
  ['types-chat', 'chat/types.ts', ['ChatMessage', 'ContentPart', 'MessageToolCall', 'ChatTool', 'Json']],
  ['types-texts', 'types/results.ts'],
  ['types-texts', 'types/text.ts'],
  ['types-texts', 'types/images.ts'],
  ['types-texts', 'types/audio.ts'],
  ['types-texts', 'types/options.generated.ts'],
  ['types-loading', 'wire/errors.ts', ['HeedErrorCode']],
  ['types-loading', 'types/loading.ts'],
  ['types-loading', 'types/store.ts'],
  ['types-lab', 'types/lab-options.generated.ts', ['SweepMetric', 'SweepPath', 'CollectExamples']],
  ['types-lab', 'types/lab.ts'],
  ['types-lab', 'types/lab-room.ts'],
  ['types-lab', 'types/features.ts'],
]

/** Parses the `text` of a source file: its nodes, its text, and the docstring that stands directly before a position, if any. */
export function parsed(path, text) {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`)
  const docBefore = start => {
    const before = comments.filter(({ type, end }) => type === 'Block' && end <= start).at(-1)
    return before?.value.startsWith('*') && /^[\s|]*$/.test(text.slice(before.end, start)) ? before.value : undefined
  }
  return { text, nodes: program.body.map(node => ({ node: node.declaration ?? node, start: node.start })), comments, docBefore }
}

/** A docstring as {sentences, examples}. */
export function docParts(doc = '') {
  const lines = doc.split('\n').map(line => line.replace(/^\s*\*? ?/, '').trimEnd())
  const [sentences, ...examples] = lines.join('\n').split(/^@example$/m)
  return { sentences: sentences.trim(), examples: examples.map(example => example.trim()) }
}

const isKind = member =>
  member.type === 'TSPropertySignature' &&
  member.key.name === 'type' &&
  member.typeAnnotation?.typeAnnotation.type === 'TSLiteralType'

/** The types by name: {name, page, doc, members}, or `code` of one that has no list of members; `kinds` of a union of events. */
export function declaredTypes(textOf) {
  const found = new Map()
  for (const [page, file, only] of sources) {
    const path = `bindings/js/${file}`
    const { text, nodes, comments, docBefore } = parsed(path, textOf(path))
    const plain = node => {
      const inside = comments.filter(({ start, end }) => start >= node.start && end <= node.end)
      let code = text.slice(node.start, node.end)
      for (const { start, end } of inside.reverse()) code = code.slice(0, start - node.start) + code.slice(end - node.start)
      return code.replace(/\n\s*(?=\n)/g, '')
    }
    const oneLine = node =>
      plain(node)
        .replace(/\n\s*(?=(?:readonly )?(?:\w+\??|\[[^\]]*\]):)/g, '; ')
        .replaceAll('{; ', '{ ')
        .replace(/readonly (?=\w+\??:)/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    const memberOf = member => ({
      name: text.slice(member.key.start, member.key.end) + (member.optional ? '?' : ''),
      type: member.typeAnnotation ? oneLine(member.typeAnnotation.typeAnnotation) : oneLine(member),
      doc: docParts(docBefore(member.start)).sentences,
    })
    const membersOf = body => body.filter(({ type }) => type === 'TSPropertySignature').map(memberOf)
    const kindOf = node => {
      const literal = node.type === 'TSTypeLiteral' ? node : node.types?.find(({ type }) => type === 'TSTypeLiteral')
      const own = literal?.members.find(isKind)
      if (!own) return undefined
      const others = node.types?.filter(one => one !== literal).map(oneLine) ?? []
      const fields = membersOf(literal.members.filter(member => member !== own)).map(({ name, type }) => `${name}: ${type}`)
      return {
        name: own.typeAnnotation.typeAnnotation.literal.value,
        type: [...fields, ...others].join('; '),
        doc: docParts(docBefore(node.start)).sentences,
      }
    }
    for (const { node, start } of nodes) {
      if (!['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].includes(node.type) || node.start === start) continue // not exported
      const { name } = node.id
      if ((only && !only.includes(name)) || found.has(name)) continue
      const one = { name, page, ...docParts(docBefore(start)) }
      const inner = node.typeAnnotation
      if (node.type === 'TSInterfaceDeclaration') {
        one.members = membersOf(node.body.body)
        one.from = (node.extends ?? []).map(oneLine)
      } else {
        const kinds = inner.types?.map(part => kindOf(part.type === 'TSParenthesizedType' ? part.typeAnnotation : part))
        if (kinds?.every(Boolean) && kinds.length > 0) one.kinds = kinds
        else one.code = `type ${text.slice(node.id.start, inner.end)}`
      }
      found.set(name, one)
    }
  }
  for (const [, , names = []] of sources)
    for (const name of names) if (!found.has(name)) throw new Error(`${name} is declared nowhere`)
  return found
}

const cell = text => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

/** How a page of the reference writes types: a type as code, with a link to the first type in it that has a section; and a type's table. */
export function typeWriter(types, page) {
  const namesIn = type => [...new Set(type.replace(/'[^']*'/g, '').match(/\b[A-Z]\w*/g) ?? [])].filter(name => types.has(name))
  const link = name => `${types.get(name).page === page ? '' : `${types.get(name).page}.md`}#${name.toLowerCase()}`
  const code = type => {
    const [name] = namesIn(type)
    return name ? `[\`${cell(type)}\`](${link(name)})` : `\`${cell(type)}\``
  }
  const table = ({ members, kinds }) => {
    const rows = (kinds ?? members).map(({ name, type, doc }) => `| \`${name}\` | ${type ? code(type) : ''} | ${cell(doc)} |`)
    const head = kinds ? '| `type` | fields | |' : '| field | type | |'
    return rows.length > 0 ? `${head}\n|---|---|---|\n${rows.join('\n')}` : ''
  }
  return { namesIn, link, code, table }
}

/** The text of a page of types: a section for each, after a list of them. */
export function typesText(types, page) {
  const { code, link, table } = typeWriter(types, page)
  const described = [...types.values()].filter(one => one.page === page && (one.code || table(one) !== ''))
  const list = described.map(({ name }) => `[${name}](${link(name)})`).join(', ')
  const sections = described
    .map(one =>
      [
        `## ${one.name}`,
        one.sentences,
        one.from?.length > 0 && `With the fields of ${one.from.map(code).join(', ')}.`,
        one.code ? `\`\`\`ts\n${one.code}\n\`\`\`` : table(one),
      ]
        .filter(Boolean)
        .join('\n\n'),
    )
    .join('\n\n')
  return `${list}\n\n${sections}`
}
