// Where the pages of the manual are, and where its links lead.
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import description from '../../package.json' with { type: 'json' }
import { inRoot } from '../paths.mjs'

const source = `${description.homepage.replace(/#.*/, '')}/blob/main/`

/** The address of a page below the manual, by the path of its Markdown file in docs/; relative paths stay relative. */
export const addressOf = path => path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')

/**
 * The address of a link in the manual; `from` is the path of the file in docs/ that has it. The tiny models are beside the manual, where the
 * page has them; other files are at the repository.
 */
export function linkOf(target, from) {
  if (/^[a-z]+:|^#/i.test(target)) return target
  const [path, anchor = ''] = target.split(/(?=#)/)
  const file = posix.join('docs', posix.dirname(from), path)
  const [, model] = /^models\/(tiny\/.*\.(?:gguf|bin))$/.exec(file) ?? []
  if (model) return posix.relative(posix.join('manual', posix.dirname(from)), model)
  if (!file.startsWith('docs/')) return source + file + anchor
  if (!path.endsWith('.md') && existsSync(inRoot(file, 'README.md'))) return `${path.replace(/\/?$/, '/')}index.html${anchor}`
  return addressOf(path) + anchor
}
