// Runs the TypeScript of the README and of the manual in a page.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { startHub } from '../support/hub/index.mjs'
import { defaultModule, pageModule } from '../support/page_modules.mjs'
import { documents, hubFiles, modelFiles, obstacle, onHub, programsOf, runnable } from '../support/snippets.mjs'
import { serveSite } from './site.mjs'
import { browserName, useBrowser } from './support.mjs'

const { inPage } = useBrowser()
/** Packages of others, which a page has as one script each. Programs that import more than these run in Node alone. */
const packages = ['ai', 'zod', 'openai']
const importsOf = source => [...source.matchAll(/^import .*? from '(.*?)'$/gms)].map(([, name]) => name)
const canImport = ({ source }) => importsOf(source).every(name => /^heed(?:\/|$)/.test(name) || packages.includes(name))
const hindered = block =>
  obstacle(block) ||
  (browserName === 'webkit' && /modelStore\.(download|import)/.test(block.source) && 'WebKitGTK keeps no files for pages')
const blocks = path => programsOf(path).filter(block => canImport(block) && !hindered(block))
let site, hub

before(async () => {
  hub = await startHub(hubFiles())
  const scripts = new Map([
    ['langchain.js', await pageModule(inRoot('dist/langchain.js'))],
    ['on-hub.js', onHub(hub.endpoint, './dist/index.js')],
  ])
  for (const name of packages) scripts.set(`${name}.js`, await (name === 'openai' ? defaultModule : pageModule)(name))
  for (const block of documents.flatMap(blocks)) {
    const code = (await runnable(block, './on-hub.js'))
      .replace(/(from ['"])heed\/langchain(['"])/g, '$1./langchain.js$2')
      .replace(
        /((?:from|import) ?['"])heed(?:\/([\w-]+))?(['"])/g,
        (_, from, way = 'index', end) => `${from}./dist/${way}.js${end}`,
      )
      .replace(new RegExp(`(from ['"])(${packages.join('|')})(['"])`, 'g'), '$1./$2.js$3')
    scripts.set(`${block.name}.js`, code)
  }
  site = await serveSite({
    change(dist) {
      for (const [name, content] of [...scripts, ...Object.entries(modelFiles())]) {
        writeFileSync(join(dist, '..', name), content)
      }
    },
  })
})
after(async () => {
  await site.close()
  await hub.close()
})

for (const path of documents) {
  for (const block of programsOf(path).filter(hindered)) test(block.name, { skip: hindered(block) }, () => {})
  const names = blocks(path).map(({ name }) => name)
  if (names.length > 0)
    test(`${path}: its programs run`, async () => {
      const run = async names => {
        const ran = []
        for (const name of names) {
          await import(`./${name}.js`)
          ran.push(name)
        }
        return ran
      }
      assert.deepEqual(await inPage(site, run, names), names)
    })
}
