// Runs the README's code in a page.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { pageModule } from '../support/page_modules.mjs'
import { obstacle, readmeBlocks, readmeModels, runnable } from '../support/readme.mjs'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const { inPage } = useBrowser()
const blocks = readmeBlocks()
let site

before(async () => {
  const langchain = await pageModule(inRoot('dist/langchain.js'))
  const scripts = new Map([
    ['ai.js', await pageModule('ai')],
    ['zod.js', await pageModule('zod')],
    ['langchain.js', langchain],
  ])
  for (const block of blocks) {
    const code = (await runnable(block))
      .replace(/(from ['"])heed\/langchain(['"])/g, '$1./langchain.js$2')
      .replace(/(from ['"])heed(?:\/([\w-]+))?(['"])/g, (_, from, way = 'index', end) => `${from}./dist/${way}.js${end}`)
      .replace(/(from ['"])(ai|zod)(['"])/g, '$1./$2.js$3')
    scripts.set(`readme-${block.line}.js`, code)
  }
  site = await serveSite({
    change(dist) {
      for (const [name, content] of [...scripts, ...Object.entries(readmeModels())]) {
        writeFileSync(join(dist, '..', name), content)
      }
    },
  })
})
after(() => site.close())

for (const block of blocks) {
  const { line } = block
  test(`the README's code at line ${line} runs`, { skip: obstacle(block) }, async () => {
    const ran = await inPage(
      site,
      async script => {
        await import(script)
        return globalThis.ran
      },
      `./readme-${line}.js`,
    )
    assert.equal(ran, true)
  })
}
