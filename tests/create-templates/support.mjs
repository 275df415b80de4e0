// Shared by the tests of templates: a project is made by the packed program, installed, built, opened in Chromium, and used once.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { Unavailable } from '../../tools/environments/install.mjs'
import { built, openProject } from '../../tools/environments/project.mjs'
import { serve } from '../../tools/serve.mjs'
import { accessFindings, createProject, temporaryFolder, watchRequests } from '../create/support.mjs'

/** A project of a template with its packages installed, as `openProject` gives it; `files` are added to it. */
export async function projectOf(template, files) {
  const { folder, close } = temporaryFolder()
  try {
    createProject(join(folder, template), template)
    return await openProject(`create-${template}`, { source: join(folder, template), files })
  } finally {
    close()
  }
}

/** Builds a project. Any warning of the build is an error. */
export async function build(project) {
  const output = await project.run('build')
  assert.doesNotMatch(output, /\(!\)|deprecat|error/i)
  return built(project, 'dist')
}

/** Defines a test of a project; it is skipped if npm cannot fetch what the project needs. */
export function projectTest(name, template, files, body) {
  test(name, { timeout: 600_000 }, async t => {
    let project
    try {
      project = await projectOf(template, files)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      console.log(`SKIPPED: ${name}: ${error.message}`)
      return t.skip(error.message)
    }
    try {
      await body(project)
    } finally {
      await project.close()
    }
  })
}

/**
 * Defines a test that uses a template's site. `use(page, {again})` does what its user does; `again()` resolves to another visit. In the end
 * nothing has been reported, axe finds nothing in the last page, nothing has been asked of other origins, and without its server the site
 * opens again: `ready` is a selector of what is there once it can be used.
 */
export function siteTest(name, { template, files = {}, ready }, use) {
  projectTest(name, template, files, async project => {
    const folder = await build(project)
    const site = await serve(folder, { isolated: false }) // as on GitHub Pages: the service worker isolates the page
    const browser = await startChromium({ own: false, viewport: { width: 1280, height: 800 } })
    try {
      const foreign = watchRequests(browser.context, new URL(site.url).origin)
      let page
      const again = async () => {
        await page?.close()
        page = await browser.open(site.url)
        page.setDefaultTimeout(120_000)
        await page.locator(ready).waitFor()
        return page
      }
      await use(await again(), { again })
      assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'isolated by the service worker')
      assert.deepEqual(await accessFindings(page), [])
      assert.deepEqual(page.problems, [])
      await site.close()
      await again()
      assert.deepEqual(page.problems, [], 'without a network')
      assert.deepEqual(foreign, [])
    } finally {
      await browser.close()
      await site.close().catch(() => {}) // closed already
    }
  })
}

const inParentheses = text => `(${text.replace(/[\\()]/g, '\\$&')})`

/** A PDF of one page with these paragraphs, each a list of lines. */
export function pdfOf(paragraphs) {
  const lines = paragraphs
    .map(paragraph => paragraph.map(line => `${inParentheses(line)} Tj 0 -14 Td`).join('\n'))
    .join('\n0 -20 Td\n')
  const content = `BT /F1 11 Tf 50 780 Td\n${lines}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = file.length
  const entries = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  return Buffer.from(`${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`, 'latin1')
}
