// The properties of the objects that calls return, for the reference: read from the classes of these objects, with their docstrings.
import { docParts, parsed, typeWriter } from './declared-types.mjs'

/** The classes of these objects: the files, each with the class there, whose public properties an object has. */
const feed = ['bindings/js/page/feed.ts', 'Feed']
const classes = {
  Model: [['bindings/js/page/model.ts', 'Model']],
  Session: [['bindings/js/page/session.ts', 'Session']],
  Generation: [['bindings/js/page/generation.ts', 'Generation'], feed],
  Chat: [['bindings/js/page/chat/conversation.ts', 'Chat'], feed],
  Transcription: [['bindings/js/page/audio/transcription.ts', 'Transcription'], feed],
  ModelTemplate: [['bindings/js/page/chat/model-template.ts', 'ModelTemplate']],
  Unfinished: [['bindings/js/page/unfinished.ts', 'Unfinished']],
  HeedError: [['bindings/js/wire/errors.ts', 'HeedError']],
}

/** A class's docstring, its own properties, and what its object resolves to. Throws for a public property without a docstring. */
function propertiesIn([path, owner], textOf) {
  const { text, nodes, docBefore } = parsed(path, textOf(path))
  const { node, start } = nodes.find(({ node }) => node.type === 'ClassDeclaration' && node.id.name === owner)
  const isPublic = ({ type, kind, key, static: isStatic }) =>
    (type === 'PropertyDefinition' || kind === 'get') && key.type === 'Identifier' && !isStatic
  const members = node.body.body.filter(isPublic).map(({ start, key, value, typeAnnotation, optional }) => {
    const { typeAnnotation: type } = typeAnnotation ?? value.returnType
    const { sentences } = docParts(docBefore(start))
    if (sentences === '') throw new Error(`${owner}.${key.name} has no docstring`)
    return { name: key.name + (optional ? '?' : ''), type: text.slice(type.start, type.end), doc: sentences }
  })
  const [, result] = node.superTypeArguments?.params ?? []
  return { doc: docParts(docBefore(start)).sentences, members, result: result && text.slice(result.start, result.end) }
}

/** The text of the page: a table for each class. */
export function propertiesText(types, textOf) {
  const { table } = typeWriter(types)
  const sections = Object.entries(classes).map(([name, places]) => {
    const read = places.map(place => propertiesIn(place, textOf))
    const [{ doc, result }] = read
    const members = read
      .flatMap(one => one.members)
      .map(one => (one.type === 'Promise<Result>' ? { ...one, type: `Promise<${result}>` } : one))
    return [`## ${name}`, doc, table({ members }).replace('| field |', '| property |')].join('\n\n')
  })
  return sections.join('\n\n')
}
