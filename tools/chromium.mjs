// A Chromium for the browser tests: the machine's own, or Debian's package installed on the host.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { debianObstacle, installOnHost } from './toolchain/debian.mjs'
import { cacheFolder } from './toolchain/index.mjs'
import { step } from './toolchain/steps.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium on this machine (HEED_CHROMIUM goes first), or undefined. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = folders.flatMap(folder => names.map(name => join(folder, name)))
  return [process.env.HEED_CHROMIUM, ...onPath, ...applications].find(path => path && existsSync(path))
}

/** The same, after installing it where none is found. */
export async function needChromium() {
  const found = findChromium()
  if (found) return found
  const obstacle = debianObstacle()
  if (obstacle) throw new Error(`The browser tests need Chromium (HEED_CHROMIUM=path), and ${obstacle}.`)
  const log = join(cacheFolder(), 'setup.log')
  await step('install chromium', () => installOnHost(['chromium', 'fonts-dejavu-core'], log))
  return findChromium()
}
