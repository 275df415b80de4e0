// The form of generated files: their first lines, imports and comments.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { inRoot } from '../paths.mjs'

/** The first line of a file. */
export const written = (what, mark = '//') => `${mark} Written by tools/contract from api/: ${what}\n`

/** A name in camel case in another spelling: with `mark` before each word but the first. */
export const spelled = (name, mark) => name.replace(/[A-Z]/g, letter => mark + letter.toLowerCase())

const width = 132

/** Wraps text into lines. */
function wrapped(text, room) {
  const lines = ['']
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1)
    if (line !== '' && line.length + 1 + word.length > room) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

/** A docstring; lines that begin with a dash are a list, and empty ones stay. Examples follow as they are. */
export function docstring(text, indent = '', examples = []) {
  if (!text) return ''
  if (examples.length === 0 && !text.includes('\n') && indent.length + text.length + 7 <= width) return `${indent}/** ${text} */\n`
  const lines = text
    .split('\n')
    .flatMap(line =>
      wrapped(line, width - indent.length - 5).map((part, at) => (at > 0 && line.startsWith('- ') ? `  ${part}` : part)),
    )
  for (const example of examples) lines.push('', '@example', ...example.split('\n'))
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')

/** For each name that sources below bindings/js export, its file: the first of these folders or files that has it. */
export function exportedBy(...places) {
  const found = new Map()
  const files = places.flatMap(place =>
    isSource(place)
      ? [place]
      : readdirSync(inRoot('bindings/js', place))
          .filter(isSource)
          .map(name => `${place}/${name}`),
  )
  for (const file of files) {
    const text = readFileSync(inRoot('bindings/js', file), 'utf8')
    for (const [, name] of text.matchAll(/^export (?:async )?(?:const|function|type|interface|class) (\w+)/gm)) {
      if (!found.has(name)) found.set(name, file)
    }
  }
  return found
}

/** The imports that a text needs, as a text before it. `known`: the file of each name; `types`: whether all are types. */
export function importsFor(file, text, known, isType = () => true) {
  const code = text.replace(/\/\*\*?[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '')
  const names = new Set(code.match(/(?<!\w|[^.]\.)\b[A-Za-z_]\w*\b(?!:|\?:)/g))
  const byFile = new Map()
  for (const name of [...names].filter(name => known.has(name) && known.get(name) !== file).sort()) {
    const from = known.get(name)
    byFile.set(from, [...(byFile.get(from) ?? []), name])
  }
  return [...byFile]
    .map(([from, list]) => {
      const path = posix.relative(posix.dirname(file), from).replace(/\.ts$/, '.js')
      const all = list.every(isType)
      const items = list.map(name => (!all && isType(name) ? `type ${name}` : name)).join(', ')
      return [path.startsWith('.') ? path : `./${path}`, `import ${all ? 'type ' : ''}{ ${items} } from`]
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, line]) => `${line} '${path}'\n`)
    .join('')
}
