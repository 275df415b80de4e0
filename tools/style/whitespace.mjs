// The whitespace rules of .editorconfig, for files that have no formatter: no tabs, no trailing whitespace, and one newline
// at the end of the file.
import { readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../paths.mjs'
import { filesIn } from './files.mjs'

const folders = ['bindings', 'cmake', 'create', 'tests', 'tools', 'web']
const endings = ['.cmake', '.css', '.html', '.py']

export const otherFiles = () => filesIn(folders, endings)

const tidied = text =>
  `${text
    .replaceAll('\t', '  ')
    .replace(/[ \r]+$/gm, '')
    .trimEnd()}\n`

export const differingWhitespace = files =>
  new Set(
    files.filter(file => {
      const text = readFileSync(inRoot(file), 'utf8')
      return text !== '' && text !== tidied(text)
    }),
  )

export function tidyWhitespace(files) {
  for (const file of differingWhitespace(files)) writeFileSync(inRoot(file), tidied(readFileSync(inRoot(file), 'utf8')))
}
