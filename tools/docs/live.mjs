// Writes the files that run the manual's live snippets: a frame with a policy of its own, and the package's scripts. The rest of
// the package's files is shared with the page, in the folder above the manual.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'

const scripts = ['index.js', 'chat.js', 'converse.js', 'lab.js']
const assets = [
  ...['worker', 'store', 'template', 'lab'].map(name => `heed-${name}.js`),
  ...['relaxed', 'simd128', 'memory64', 'constraints'].flatMap(name => [`heed-${name}.js`, `heed-${name}.wasm`]),
  ...['relaxed', 'simd128', 'memory64'].map(name => `heed-${name}-extra.wasm`),
  'heed-stories.gguf',
]

/** The page's copies of the package's files, as addresses relative to the manual, by name; undefined if there are not all. */
export function pageAssets(output) {
  const folder = join(output, '../assets')
  const files = existsSync(folder) ? readdirSync(folder) : []
  const copies = assets.map(name => {
    const [, base, ending] = /^(.*)(\.\w+)$/.exec(name)
    return [
      name,
      files.find(
        file => file.startsWith(base) && file.endsWith(ending) && /^(?:-[\w-]{8})?$/.test(file.slice(base.length, -ending.length)),
      ),
    ]
  })
  return copies.every(([, file]) => file)
    ? Object.fromEntries(copies.map(([name, file]) => [name, `../assets/${file}`]))
    : undefined
}

const importMap = JSON.stringify({ imports: { heed: './heed/live.js', 'heed/chat': './heed/chat.js' } })
const hash = createHash('sha256').update(importMap).digest('base64')
const policy = `default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-${hash}'; worker-src 'self' blob:; style-src 'self'; img-src 'self'; connect-src 'self'`

/** Without white space in the body, which a snippet's output would begin with. */
const frame = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="color-scheme" content="light dark">
    <title>Output</title>
    <link rel="stylesheet" href="run.css">
    <script type="importmap">${importMap}</script>
    <script type="module" src="run.js"></script>
  </head><body></body></html>`

const liveModule = copies => `// The package, with the page's copies of its files.
import { loadModel as load } from './index.js'
export * from './index.js'
const assets = ${JSON.stringify(copies)}
export const loadModel = (source, options) => load(source, { assets, ...options })
`

/** Writes the frame and the files that it loads. */
export function writeLive(output, copies) {
  mkdirSync(join(output, 'heed'), { recursive: true })
  for (const name of scripts) cpSync(inRoot('dist', name), join(output, 'heed', name))
  writeFileSync(join(output, 'heed/live.js'), liveModule(copies))
  writeFileSync(join(output, 'run.html'), frame)
  cpSync(inRoot('tools/docs/site/run.js'), join(output, 'run.js'))
  const css = ['web/styles/theme.css', 'tools/docs/site/run.css'].map(path => readFileSync(inRoot(path), 'utf8'))
  writeFileSync(join(output, 'run.css'), css.join(''))
}
