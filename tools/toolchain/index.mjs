// Finds or makes the toolchain: the machine's own where it has everything, else an isolated Debian root in the
// cache folder, which the next clone finds again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { catch2ForWasm } from './catch2.mjs'
import { debianObstacle, debianRoot } from './debian.mjs'
import { execute, step, withLock } from './steps.mjs'
import { findVersions, shortcomings } from './versions.mjs'

/** Counts up when an older cached toolchain no longer serves. */
const recipe = 1
const libraries = /^(xsimd|catch2) /

/** The folder of everything that outlives a clone. */
export const cacheFolder = () =>
  join(process.env.HEED_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'heed'), `toolchain-${recipe}`)

const runOnHost = (command, args, { env, ...options } = {}) =>
  execute(command, args, { ...options, env: { ...process.env, ...env } })

/**
 * Returns {kind, versions, run}. `kind` is 'host' or 'debian'; `run(command, args, {cwd, env, log, capture, check})`
 * runs a program in the toolchain, where the project and /tmp have the same paths as outside.
 */
export async function openToolchain() {
  const hostVersions = await findVersions(runOnHost)
  const missing = shortcomings(hostVersions)
  if (missing.length === 0) return complete('host', hostVersions, runOnHost, {})
  const obstacle = debianObstacle()
  if (!obstacle) return openDebian()
  if (missing.every(item => libraries.test(item))) return complete('host', hostVersions, runOnHost, {})
  throw new Error(`The machine lacks ${missing.join(', ')}, and ${obstacle}.\n`
    + 'Install them (README.md, "Building") or use the Dockerfile.')
}

/** Adds what both kinds need, Catch2 for wasm, and the variables by which CMake finds everything. */
async function complete(kind, versions, run, env) {
  const folder = cacheFolder()
  const runWith = (command, args, options = {}) => run(command, args, { ...options, env: { ...env, ...options.env } })
  const catch2 = await withLock(join(folder, 'lock'), () => catch2ForWasm(folder, versions, runWith))
  if (catch2) env.HEED_WASM_CATCH2 = catch2
  return { kind, versions, run: runWith }
}

async function openDebian() {
  const folder = cacheFolder()
  const record = join(folder, 'versions.json')
  const debian = debianRoot(folder, join(folder, 'setup.log'))
  const env = {
    CC: 'clang',
    CXX: 'clang++',
    EM_CACHE: join(folder, 'emscripten'),
    HEED_WARNINGS_AS_ERRORS: 'ON',   // the compilers are a known set: a new warning is a change of ours
  }
  if (!debian.ready() || !existsSync(record)) {
    await withLock(join(folder, 'lock'), () => debian.prepare(async () => {
      const versions = await step('check its versions', () => findVersions((command, args, options) => 
        debian.run(command, args, { ...options, env })))
      const missing = shortcomings(versions)
      if (missing.length > 0) throw new Error(`it lacks ${missing.join(', ')}`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(record, `${JSON.stringify(versions, null, 2)}\n`)
    }))
  }
  return complete('debian', JSON.parse(readFileSync(record, 'utf8')), debian.run, env)
}
