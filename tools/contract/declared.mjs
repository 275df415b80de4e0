// What TypeScript declares: the members of interfaces below bindings/js.
import { readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'
import { inRoot } from '../paths.mjs'

/** The members of the interfaces that a file exports, by the name of the interface: [name, type], which for a method is its result. */
export function interfacesIn(file) {
  const path = `bindings/js/${file}`
  const text = readFileSync(inRoot(path), 'utf8')
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`)
  const memberOf = ({ key, type, returnType, typeAnnotation }) => {
    const { start, end } = (type === 'TSMethodSignature' ? returnType : typeAnnotation).typeAnnotation
    return [key.name, text.slice(start, end)]
  }
  const interfaces = program.body.map(({ declaration }) => declaration).filter(one => one?.type === 'TSInterfaceDeclaration')
  return new Map(interfaces.map(({ id, body }) => [id.name, body.body.filter(({ key }) => key).map(memberOf)]))
}
