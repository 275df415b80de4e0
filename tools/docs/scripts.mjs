// The scripts, styles and pictures of the manual, and its service worker, which has the list of all its files.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { notices, npmParts } from '../building/third-party.mjs'
import { inRoot } from '../paths.mjs'

const site = name => inRoot('tools/docs/site', name)

/** Styles: the page's colors and fonts, then the manual's own. */
const styles = () => readFileSync(inRoot('web/styles/theme.css'), 'utf8') + readFileSync(site('style.css'), 'utf8')

export async function writeScripts(output) {
  const { output: chunks } = await build({
    input: site('manual.js'),
    output: { dir: output, format: 'es', minify: true, chunkFileNames: '[name].js' },
  })
  const modules = chunks.flatMap(({ modules = {} }) => Object.keys(modules))
  writeFileSync(join(output, 'THIRD-PARTY.txt'), notices(npmParts(modules)))
  writeFileSync(join(output, 'style.css'), styles())
  cpSync(inRoot('web/public/icon.svg'), join(output, 'icon.svg'))
  if (existsSync(inRoot('docs/images'))) cpSync(inRoot('docs/images'), join(output, 'images'), { recursive: true })
}

/** Writes the service worker last: its version is a hash of all files. */
export async function writeWorker(output) {
  const name = 'service-worker.js'
  const {
    output: [{ code }],
  } = await build({ input: site(name), output: { format: 'iife', minify: true }, write: false })
  const files = readdirSync(output, { recursive: true })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => statSync(join(output, file)).isFile())
    .sort()
  const hash = createHash('sha256').update(code)
  for (const file of files) hash.update(file).update(readFileSync(join(output, file)))
  const list = `const manualFiles=${JSON.stringify(files)},manualVersion="${hash.digest('hex').slice(0, 16)}";\n`
  writeFileSync(join(output, name), list + code)
}
