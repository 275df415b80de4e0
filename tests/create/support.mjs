// Projects made by `npm create heed`, as its users make them: by the packed program, from templates in its package.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpack } from '../../tools/environments/tarball.mjs'
import { inRoot } from '../../tools/paths.mjs'

export const createFolder = inRoot('create')

/** A new folder, which `close()` removes. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'heed-create-'))
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) }
}

let program

/** Creates a project in a folder that does not exist yet, by the packed program. */
export function createProject(folder, template) {
  if (!program) {
    program = temporaryFolder()
    process.once('exit', program.close)
    unpack(createFolder, program.folder)
  }
  execFileSync(process.execPath, [join(program.folder, 'index.mjs'), folder, '--template', template], { stdio: 'pipe' })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Adds axe to a page through the debugger, which works with any content security policy. */
async function addAxe(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  await session.detach()
}

/** Waits until the change of the color scheme has ended: colors measured before are of neither scheme. */
const settled = page =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    const fading = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(fading.map(({ finished }) => finished))
  })

/** The problems that axe finds in a page, in light and dark mode and on a phone. */
export async function accessFindings(page) {
  await addAxe(page)
  const found = []
  const looks = [
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 390, height: 844 }],
  ]
  for (const [colorScheme, size] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await settled(page)
    const { violations, overflow } = await page.evaluate(async () => ({
      violations: (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations,
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }))
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) found.push(`${colorScheme}: ${id}: ${target.join(' ')}: ${failureSummary}`)
    }
    if (overflow > 0) found.push(`${colorScheme}: the page is ${overflow} px wider than ${size.width} px`)
  }
  return found
}

/** Records in `foreign` each request of a page to another origin. */
export function watchRequests(context, origin) {
  const foreign = []
  context.on('request', request => {
    const url = request.url()
    if (/^(https?|wss?):/.test(url) && new URL(url).origin !== origin) foreign.push(url)
  })
  return foreign
}
