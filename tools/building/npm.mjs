// Installs the development packages of package-lock.json: once in the cache folder, from where each clone takes them, again whenever
// that file changes.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, inRoot, root } from '../paths.mjs'
import { copyFolder } from '../running/copy-folder.mjs'
import { execute } from '../running/execute.mjs'
import { keepNewest, sweep } from '../running/leftovers.mjs'
import { step } from '../running/steps.mjs'

/** Runs a program of node_modules, whose path there is `program`. */
export const runNpmProgram = (program, ...args) =>
  execute(process.execPath, [inRoot('node_modules', program), ...args], { cwd: root })

const mostKept = 3
/** The files that npm reads in a project. */
const files = ['package.json', 'package-lock.json', '.npmrc']

export async function installNpmPackages() {
  const lock = readFileSync(inRoot('package-lock.json'))
  const stamp = inRoot('node_modules/.heed-lock')
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} `).update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  await step('install the npm packages', async report => {
    const kept = join(cacheFolder(), 'npm', hash.slice(0, 16))
    if (!existsSync(kept)) await install(kept, Object.keys(JSON.parse(lock).packages).length, report)
    utimesSync(kept, new Date(), new Date())
    rmSync(inRoot('node_modules'), { recursive: true, force: true })
    copyFolder(join(kept, 'node_modules'), inRoot('node_modules'))
    writeFileSync(stamp, hash)
  })
}

/** Installs into the folder `kept`, which appears only when it is complete. */
async function install(kept, packages, report) {
  const partial = `${kept}.${process.pid}`
  sweep(dirname(kept))
  mkdirSync(partial, { recursive: true })
  for (const name of files) copyFileSync(inRoot(name), join(partial, name))
  let fetched = 0
  await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'], {
    cwd: partial,
    log: join(cacheFolder(), 'npm.log'),
    onLine: line => {
      if (line.includes(' fetch GET ')) report(`${Math.min(++fetched, packages)}/${packages}`)
    },
  })
  try {
    renameSync(partial, kept)
  } catch (error) {
    if (!existsSync(kept)) throw error // otherwise another run was faster
    rmSync(partial, { recursive: true, force: true })
  }
  keepNewest(dirname(kept), mostKept)
}
