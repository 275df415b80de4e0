// The contents of the manual: its sections, and the pages of each in the order in which one reads them, as paths below docs/. A section
// whose pages come from elsewhere names a folder, all of which it has: README.md, then the files in the order in which that links to them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { inRoot } from '../paths.mjs'

const sections = [
  { title: 'Start', pages: ['README.md', 'start.md', 'templates.md', 'which-model.md', 'troubleshooting.md'] },
  {
    title: 'Guide',
    pages: [
      'chat',
      'tools',
      'generate',
      'structured-output',
      'sessions',
      'parallel-calls',
      'drafts',
      'images',
      'audio',
      'embeddings',
      'reranking',
      'storage',
      'kept',
      'shared',
      'offline',
      'threads',
      'memory',
      'extensions',
      'node',
      'command-line',
      'serve',
      'chat-templates',
      'encoder-decoders',
    ].map(name => `guide/${name}.md`),
  },
  {
    title: 'Attention and the lab',
    pages: ['attention', 'viewer', 'inside', 'edits', 'sweeps', 'features', 'collect', 'findings', 'adapters'].map(
      name => `lab/${name}.md`,
    ),
  },
  {
    title: 'Other APIs',
    pages: [
      'elements',
      'openai',
      'responses',
      'openai-clients',
      'ai-sdk',
      'prompt-api',
      'task-apis',
      'react',
      'langchain',
      'mcp',
      'migrating',
    ].map(name => `apis/${name}.md`),
  },
  {
    title: 'Recipes',
    pages: [
      'progress',
      'strict-mode',
      'agents',
      'assistant-ui',
      'import-map',
      'service-worker',
      'persist',
      'vectors',
      'security-policy',
    ].map(name => `recipes/${name}.md`),
  },
  {
    title: 'Frameworks',
    pages: ['README', 'html', 'react', 'vue', 'svelte', 'next', 'nuxt', 'angular', 'electron', 'webviews'].map(
      name => `frameworks/${name}.md`,
    ),
  },
  { title: 'The page', pages: ['page', 'hosting'].map(name => `page/${name}.md`) },
  {
    title: 'What is in it',
    pages: ['families.md', 'formats.md', 'speed.md', 'how-it-works.md', 'native-program.md', 'building.md', 'glossary.md'],
  },
  { title: 'Reference', folder: 'reference' },
  { title: 'Contributing', folder: 'contributing' },
]

const read = path => readFileSync(inRoot('docs', path), 'utf8')

/** The title of a page: its first heading. */
const titleOf = path => /^# (.*)$/m.exec(read(path))[1].replaceAll('`', '')

/** The pages of a folder. */
function pagesIn(folder) {
  if (!existsSync(inRoot('docs', folder))) return []
  const files = readdirSync(inRoot('docs', folder)).filter(name => name.endsWith('.md'))
  const first = files.filter(name => name === 'README.md')
  const linked = first.flatMap(name =>
    [...read(posix.join(folder, name)).matchAll(/\]\(([^()#/]+\.md)[)#]/g)].map(([, target]) => target),
  )
  return [...new Set([...first, ...linked, ...files])].filter(name => files.includes(name)).map(name => posix.join(folder, name))
}

/** The sections with their pages: {title, pages: [{path, title}]}. */
export const contents = sections
  .map(({ title, folder, pages = pagesIn(folder) }) => ({ title, pages: pages.map(path => ({ path, title: titleOf(path) })) }))
  .filter(({ pages }) => pages.length > 0)

/** The paths that no section contains. */
export function unlisted(paths) {
  const listed = new Set(contents.flatMap(({ pages }) => pages.map(({ path }) => path)))
  return paths.filter(path => !listed.has(path))
}

/** The pages before and after one, in the order of the contents. */
export function neighbors(path) {
  const pages = contents.flatMap(section => section.pages)
  const at = pages.findIndex(page => page.path === path)
  return at < 0 ? {} : { before: pages[at - 1], after: pages[at + 1] }
}
