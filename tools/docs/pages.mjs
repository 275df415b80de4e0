// The pages of the manual: Eleventy makes each from a Markdown file of docs/, with `layout` around it.
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import Eleventy from '@11ty/eleventy'
import { root } from '../paths.mjs'
import { unlisted } from './contents.mjs'
import { layout } from './layout.mjs'
import { markdown } from './markdown.mjs'
import { searchIndex } from './search-index.mjs'

/** The address of a page below the manual, by the path of its Markdown file in docs/. */
export const addressOf = path => path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')

/** Writes all pages into a folder, and the index in which the manual's search looks. */
export async function writePages(output) {
  const pages = []
  const eleventy = new Eleventy('docs', relative(process.cwd(), output), {
    quietMode: true,
    configPath: null,
    config(config) {
      config.setInputDirectory('docs')
      config.setTemplateFormats(['md'])
      config.setUseGitIgnore(false)
      config.amendLibrary('md', markdown)
      config.addGlobalData('templateEngineOverride', 'md') // `{{` in a page is text
      config.addGlobalData('eleventyComputed', {
        permalink: ({ page }) => addressOf(page.inputPath.replace(/^\.\/docs\//, '')),
      })
      config.addTransform('layout', function (content) {
        const path = this.page.inputPath.replace(/^\.\/docs\//, '')
        pages.push({ path, address: addressOf(path), content })
        return layout({ path, address: addressOf(path), content })
      })
    },
  })
  const before = process.cwd()
  process.chdir(root) // Eleventy's folders are relative to the current one
  try {
    await eleventy.write()
  } finally {
    process.chdir(before)
  }
  const lost = unlisted(pages.map(({ path }) => path))
  if (lost.length > 0) throw new Error(`no section of tools/docs/contents.mjs has ${lost.join(', ')}`)
  writeFileSync(join(output, 'search.json'), searchIndex(pages))
}
