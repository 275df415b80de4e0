// Builds the manual from docs/ into build/page/manual, which can be served from any folder on any host.
import { rmSync } from 'node:fs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'

export const buildManual = (output = inRoot('build/page/manual')) =>
  step('build the manual', async () => {
    rmSync(output, { recursive: true, force: true })
    const { writePages } = await import('../docs/pages.mjs') // not earlier: npm's packages may not be installed yet
    const { writeScripts, writeWorker } = await import('../docs/scripts.mjs')
    const { pageAssets, writeLive } = await import('../docs/live.mjs')
    const copies = pageAssets(output)
    await writePages(output, { live: copies !== undefined })
    await writeScripts(output)
    if (copies) writeLive(output, copies)
    await writeWorker(output)
  })
