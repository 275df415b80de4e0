// Where a benchmark's script runs: in a browser, or in the toolchain's Node, whose engine is Chromium's.
import { startBrowser } from '../browsers/index.mjs'
import { inRoot } from '../paths.mjs'
import { dotFlags } from './dot.mjs'

/**
 * Resolves to what the function `name` of a script in `site` returns for an argument, in a new browser or process (`place`: its name, or
 * 'node'). Both are sent as JSON.
 */
export function callAt({ place, dot, url, toolchain }, script, name, argument) {
  const flags = dotFlags[dot] ?? []
  return place === 'node'
    ? callInNode({ flags, toolchain }, script, name, argument)
    : callInBrowser({ place, flags, url }, script, name, argument)
}

async function callInBrowser({ place, flags, url }, script, name, argument) {
  const browser = await startBrowser(place, { v8: flags })
  try {
    const page = await browser.open(url)
    const call = async ({ script, name, argument }) => (await import(`./${script}`))[name](argument)
    return await page.evaluate(call, { script, name, argument })
  } finally {
    await browser.close()
  }
}

async function callInNode({ flags, toolchain }, script, name, argument) {
  const args = [...flags, inRoot('tools/bench/in-node.mjs'), script, name, JSON.stringify(argument)]
  const { stdout } = await toolchain.run('node', args, { capture: true, shown: ['node', script, name] })
  const { value, error } = JSON.parse(stdout)
  if (error) throw new Error(`in Node: ${error}`)
  return value
}
