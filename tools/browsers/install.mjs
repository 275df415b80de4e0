// Finds the browsers of the tests: the machine's own, or else Debian packages, which it installs on the host or, if they are of
// a newer Debian, in a root of their own. The next installation repairs an interrupted one; concurrent ones wait for each other.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { debianObstacle, installOnHost } from '../toolchain/debian.mjs'
import { cacheFolder } from '../paths.mjs'
import { withLock } from '../running/lock.mjs'
import { step } from '../running/steps.mjs'
import { installApart, scriptApart } from './apart.mjs'

const fonts = 'fonts-dejavu-core'
const display = ['xvfb', 'libegl1', 'libgl1-mesa-dri', fonts]
const nextWebkit = program => scriptApart('webkit-next', program)

const chromiumPrograms = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The programs of each browser, as names on the PATH or as absolute paths, and the Debian packages that provide them.
 * HEED_CHROMIUM, HEED_FIREFOX, ... override the paths.
 */
const browsers = {
  // The headless shell has the same engine without a window, and starts and draws a page in four fifths of the time.
  chromium: {
    programs: { chromium: ['chromium-headless-shell', ...chromiumPrograms] },
    packages: ['chromium-headless-shell', fonts],
  },
  'whole chromium': {
    programs: { chromium: chromiumPrograms },
    packages: ['chromium', fonts],
  },
  firefox: {
    programs: { firefox: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'] },
    packages: ['firefox-esr', fonts],
  },
  webkit: {
    programs: { webkitDriver: ['WebKitWebDriver'], xvfb: ['Xvfb'] },
    packages: ['webkit2gtk-driver', ...display],
  },
  // The next Debian's, in a root of its own: on the host, it would replace the other.
  'webkit-next': {
    programs: { webkitDriver: [nextWebkit('WebKitWebDriver')], xvfb: [nextWebkit('Xvfb')] },
    packages: ['webkitgtk-webdriver', ...display],
    apart: ['WebKitWebDriver', 'Xvfb'],
  },
}

const folders = (process.env.PATH ?? '').split(delimiter)

function findProgram(role, names) {
  const usual = names.flatMap(name => (name.includes('/') ? name : folders.map(folder => join(folder, name))))
  return [process.env[`HEED_${role.toUpperCase()}`], ...usual].find(path => path && existsSync(path))
}

/** The paths of a browser's programs, or undefined if one of them is missing. */
export function findBrowser(name) {
  const roles = Object.entries(browsers[name].programs)
  const found = roles.map(([role, names]) => [role, findProgram(role, names)])
  return found.every(([, path]) => path) ? Object.fromEntries(found) : undefined
}

/** Exists while packages are being installed: a browser found then may be incomplete. */
const unfinished = () => join(cacheFolder(), 'browser-unfinished')
const whole = name => (existsSync(unfinished()) ? undefined : findBrowser(name))

/** Why a missing browser cannot be installed here; undefined if it is present or can be installed. */
export function browserObstacle(name) {
  const obstacle = !whole(name) && debianObstacle()
  return obstacle ? `there is no ${name}, and ${obstacle}` : undefined
}

/** The paths of a browser's programs; installs the browser if it is missing. */
export async function needBrowser(name) {
  if (whole(name)) return findBrowser(name)
  const obstacle = browserObstacle(name)
  if (obstacle) throw new Error(`Tests need ${name}: ${obstacle}.`)
  const { packages, apart } = browsers[name]
  await (apart ? installApart(name, packages, apart) : installBrowser(name, packages))
  const found = findBrowser(name)
  if (!found) throw new Error(`${packages.join(', ')} do not provide what ${name} needs`)
  return found
}

/** Installs the packages of a browser on the host. */
async function installBrowser(name, packages) {
  mkdirSync(cacheFolder(), { recursive: true })
  await withLock(join(cacheFolder(), 'browser-lock'), async () => {
    if (whole(name)) return
    await step(`install ${packages.join(', ')}`, async report => {
      writeFileSync(unfinished(), '')
      await installOnHost(packages, join(cacheFolder(), 'setup.log'), report)
      rmSync(unfinished())
    })
  })
}
