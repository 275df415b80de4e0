// What a tool imports by name is there: a tool that few run fails no other test when a name moves.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const tools = fileURLToPath(new URL('../../tools', import.meta.url))

const parse = path => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)

const isExported = statement => statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** The names that a statement exports. */
function exportsOf(statement) {
  if (ts.isExportDeclaration(statement) && statement.exportClause) return statement.exportClause.elements.map(({ name }) => name.text)
  if (!isExported(statement)) return []
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
  const isDefault = statement.modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  return [isDefault ? 'default' : statement.name.text]
}
const namesIn = name => ts.isIdentifier(name) ? [name.text] : name.elements.flatMap(element => namesIn(element.name))

/** The relative imports of a file, [{from, names}]. */
function importsOf(path) {
  return parse(path).statements.filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier }) => moduleSpecifier.text.startsWith('.'))
    .map(({ moduleSpecifier, importClause }) => {
      const named = importClause?.namedBindings
      return {
        from: resolve(dirname(path), moduleSpecifier.text),
        names: named && ts.isNamedImports(named) ? named.elements.map(({ name, propertyName }) => (propertyName ?? name).text) : [],
      }
    })
}

test('tools import only names that are exported', () => {
  const files = readdirSync(tools, { recursive: true }).filter(name => name.endsWith('.mjs')).map(name => resolve(tools, name))
  const missing = files.flatMap(file => importsOf(file).flatMap(({ from, names }) => {
    const exported = parse(from).statements.flatMap(exportsOf)
    return names.filter(name => !exported.includes(name)).map(name => `${relative(tools, file)}: ${name} of ${relative(tools, from)}`)
  }))
  assert.deepEqual(missing, [])
})
