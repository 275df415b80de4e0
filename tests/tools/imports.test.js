// Names that tools import from each other exist: no other test fails when a name moves, because tools rarely run.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

const tools = fileURLToPath(new URL('../../tools', import.meta.url))

const parse = path => parseAst(readFileSync(path, 'utf8')).body

const nameOf = node => node.name ?? node.value // of an identifier, or of a name in quotes

/** The names that a declaration declares. */
function declared({ id, declarations }) {
  const inPattern = pattern => {
    if (pattern.type === 'Identifier') return [pattern.name]
    return (pattern.properties ?? pattern.elements).flatMap(part => inPattern(part.value ?? part))
  }
  return id ? [id.name] : declarations.flatMap(({ id }) => inPattern(id))
}

function exportsOf(statement) {
  if (statement.type === 'ExportDefaultDeclaration') return ['default']
  if (statement.type !== 'ExportNamedDeclaration') return []
  return statement.declaration ? declared(statement.declaration) : statement.specifiers.map(({ exported }) => nameOf(exported))
}

/** The imports of a file from other files by path, [{from, names}]. */
function importsOf(path) {
  return parse(path)
    .filter(({ type, source }) => type === 'ImportDeclaration' && source.value.startsWith('.'))
    .map(({ source, specifiers }) => ({
      from: resolve(dirname(path), source.value),
      names: specifiers
        .filter(({ type }) => type !== 'ImportNamespaceSpecifier')
        .map(({ imported }) => (imported ? nameOf(imported) : 'default')),
    }))
}

test('tools import only names that are exported', () => {
  const files = readdirSync(tools, { recursive: true })
    .filter(name => name.endsWith('.mjs'))
    .map(name => resolve(tools, name))
  const missing = files.flatMap(file =>
    importsOf(file)
      .filter(({ from }) => from.startsWith(tools) && from.endsWith('.mjs'))
      .flatMap(({ from, names }) => {
        const exported = parse(from).flatMap(exportsOf)
        return names
          .filter(name => !exported.includes(name))
          .map(name => `${relative(tools, file)}: ${name} of ${relative(tools, from)}`)
      }),
  )
  assert.deepEqual(missing, [])
})
