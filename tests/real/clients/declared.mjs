// Samples of values by a package's type declarations: for each field of a type, and each alternative of its value, a value that has
// it. Reads the declarations with rolldown's parser, so that fields added by a later version are sampled as well.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

const files = new Map()

/** The names of a file or a namespace, each with a function that returns its meaning: a type as { node, scope }, or a scope. */
function scopeOf(body, parent, file) {
  const scope = { parent, types: new Map(), spaces: new Map() }
  for (const statement of body) {
    const declared = statement.declaration ?? statement
    if (declared.type === 'TSInterfaceDeclaration' || declared.type === 'TSTypeAliasDeclaration') {
      scope.types.set(declared.id.name, () => ({ node: declared, scope }))
    } else if (declared.type === 'TSModuleDeclaration') {
      const inner = scopeOf(declared.body.body, scope, file)
      scope.spaces.set(declared.id.name, () => inner)
    } else if (statement.type === 'ImportDeclaration' && statement.source.value.startsWith('.')) {
      const other = () => readTypes(join(dirname(file), statement.source.value.replace(/(\.m?js)?$/, '.d.ts')))
      for (const { type, local, imported } of statement.specifiers) {
        if (type === 'ImportNamespaceSpecifier') scope.spaces.set(local.name, other)
        else if (type === 'ImportSpecifier') scope.types.set(local.name, () => other().types.get(imported.name)?.())
      }
    }
  }
  return scope
}

/** The declarations of a file. */
export function readTypes(file) {
  if (!files.has(file)) files.set(file, scopeOf(parseSync(file, readFileSync(file, 'utf8')).program.body, undefined, file))
  return files.get(file)
}

const namesOf = name => (name.type === 'TSQualifiedName' ? [...namesOf(name.left), name.right.name] : [name.name])

/** The meaning of a name in a scope: a type as { node, scope }. */
function find(scope, [first, ...rest]) {
  for (let at = scope; at; at = at.parent) {
    if (rest.length === 0 && at.types.has(first)) return at.types.get(first)()
    if (rest.length > 0 && at.spaces.has(first)) return find({ ...at.spaces.get(first)(), parent: undefined }, rest)
  }
  return undefined
}

/** The members of an interface, including those that it extends. */
const membersOf = ({ node, scope }) => [
  ...(node.extends ?? []).flatMap(({ expression }) => {
    const base = find(
      scope,
      expression.type === 'Identifier' ? [expression.name] : [expression.object.name, expression.property.name],
    )
    return base ? membersOf(base) : []
  }),
  ...node.body.body.map(member => ({ member, scope })),
]

/**
 * Samples of the type `name` in the file. `given(path)`: replacements for the values at a path, such as `messages[].content`, as {
 * values }, or fields that objects there need in addition to the required ones, as { with }.
 */
export function samplesOf(file, name, given = () => undefined) {
  const found = find(readTypes(file), name.split('.'))
  if (!found) throw new Error(`${file} does not declare ${name}`)
  return ofDeclared(found, '', given)
}

const ofDeclared = (found, path, given) =>
  found.node.type === 'TSInterfaceDeclaration'
    ? ofObject(membersOf(found), path, given)
    : samples(found.node.typeAnnotation, found.scope, path, given)

/**
 * One sample with only the required fields, then one for each field and each of its samples. If a field is declared twice, the
 * later one counts.
 */
function ofObject(members, path, given) {
  const fields = new Map()
  for (const { member, scope } of members) {
    if (member.type !== 'TSPropertySignature') continue
    const name = member.key.name ?? member.key.value
    const at = path ? `${path}.${name}` : name
    fields.set(name, { optional: member.optional, values: samples(member.typeAnnotation.typeAnnotation, scope, at, given) })
  }
  const least = {}
  for (const [name, { optional, values }] of fields) if (!optional && values.length > 0) least[name] = values[0]
  const { with: more } = given(path) ?? {}
  Object.assign(least, more)
  return [
    least,
    ...[...fields].flatMap(([name, { optional, values }]) =>
      values.slice(optional ? 0 : 1).map(value => ({ ...least, [name]: value })),
    ),
  ]
}

/** The samples of a type; none for null, which means absent. */
function samples(type, scope, path, given) {
  const { values } = given(path) ?? {}
  if (values) return values
  switch (type.type) {
    case 'TSUnionType':
      return type.types.flatMap(one => samples(one, scope, path, given))
    case 'TSIntersectionType':
      return samples(type.types[0], scope, path, given)
    case 'TSParenthesizedType':
      return samples(type.typeAnnotation, scope, path, given)
    case 'TSLiteralType':
      return [type.literal.value]
    case 'TSStringKeyword':
      return ['x']
    case 'TSNumberKeyword':
      return [1]
    case 'TSBooleanKeyword':
      return [true, false]
    case 'TSNullKeyword':
      return []
    case 'TSUnknownKeyword':
    case 'TSAnyKeyword':
      return [{}]
    case 'TSTypeLiteral':
      return ofObject(
        type.members.map(member => ({ member, scope })),
        path,
        given,
      )
    case 'TSArrayType':
      return samples(type.elementType, scope, `${path}[]`, given).map(one => [one])
    case 'TSTypeReference': {
      const names = namesOf(type.typeName)
      if (names[0] === 'Array') return samples(type.typeArguments.params[0], scope, `${path}[]`, given).map(one => [one])
      const found = find(scope, names)
      return found ? ofDeclared(found, path, given) : [{}] // a parameter of the type: any value
    }
    default:
      throw new Error(`${path}: ${type.type} is not known`)
  }
}
