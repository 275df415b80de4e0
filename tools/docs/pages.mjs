// The pages of the manual: Eleventy makes the text of each from a Markdown file of docs/, and `layout` puts the page around it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Eleventy from '@11ty/eleventy'
import { root } from '../paths.mjs'
import { addressOf } from './addresses.mjs'
import { unlisted } from './contents.mjs'
import { layout } from './layout.mjs'
import { markdown } from './markdown.mjs'
import { searchIndex } from './search-index.mjs'

/** Resolves to the texts of all pages: {path, address, content}, with the path of the Markdown file in docs/ and the page's own. */
async function readPages() {
  const eleventy = new Eleventy('docs', undefined, {
    quietMode: true,
    configPath: null,
    config(config) {
      config.setTemplateFormats(['md'])
      config.setUseGitIgnore(false)
      config.amendLibrary('md', markdown)
      config.addGlobalData('templateEngineOverride', 'md') // `{{` in a page is text
    },
  })
  eleventy.disableLogger() // errors are thrown
  const before = process.cwd()
  process.chdir(root) // Eleventy's folders are relative to the current one
  try {
    const pages = await eleventy.toJSON()
    return pages.map(({ inputPath, content }) => {
      const path = inputPath.replace(/^\.\/docs\//, '')
      return { path, address: addressOf(path), content }
    })
  } finally {
    process.chdir(before)
  }
}

/** Writes all pages into a folder, and the index in which the manual's search looks. `live`: whether snippets can run. */
export async function writePages(output, { live }) {
  const pages = await readPages()
  const lost = unlisted(pages.map(({ path }) => path))
  if (lost.length > 0) throw new Error(`no section of tools/docs/contents.mjs has ${lost.join(', ')}`)
  for (const page of pages) {
    const file = join(output, page.address)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, layout(page, { live }))
  }
  writeFileSync(join(output, 'search.json'), searchIndex(pages))
}
