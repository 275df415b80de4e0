// Finds or creates the toolchain: the machine's own if it is complete, else an isolated Debian root in the cache folder,
// which other clones use too.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { inRoot, root } from '../paths.mjs'
import { catch2ForWasm } from './catch2.mjs'
import { debianObstacle, debianRoot } from './debian.mjs'
import { execute, step, withLock } from './steps.mjs'
import { findVersions, shortcomings } from './versions.mjs'

/** Increase this when older cached toolchains can no longer be used. */
const recipe = 1
/** Libraries, which CMake can fetch itself, unlike programs. */
const fetchable = /^(xsimd|catch2) /

/** The folder of everything that clones share. */
export function cacheFolder() {
  const { HEED_CACHE, XDG_CACHE_HOME } = process.env
  return join(HEED_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'heed'), `toolchain-${recipe}`)
}

const setupLog = () => join(cacheFolder(), 'setup.log')
const locked = body => withLock(join(cacheFolder(), 'lock'), body)

const runOnHost = (command, args, { env, ...options } = {}) =>
  execute(command, args, { ...options, env: { ...process.env, ...env } })

/**
 * Resolves to {kind, versions, run}. `kind` is 'host' or 'debian'; `run(command, args, options)` is `execute` in the
 * toolchain, where the project and /tmp have the same paths as outside; `env` adds to the environment.
 */
export async function openToolchain() {
  const versions = await findVersions(runOnHost)
  const missing = shortcomings(versions)
  const obstacle = missing.length > 0 && debianObstacle()
  if (missing.length > 0 && !obstacle) return openDebian()
  if (missing.every(item => fetchable.test(item))) {
    return withCatch2({ kind: 'host', versions, run: runOnHost })
  }
  throw new Error(`The machine lacks ${missing.join(', ')}, and ${obstacle}.\n`
    + 'Install them (README.md, "Building") or use the Dockerfile.')
}

/** The toolchain with Catch2 for wasm, and with `env` for every program, by which CMake finds things. */
async function withCatch2({ kind, versions, run }, env = {}) {
  const runWith = (command, args, options = {}) =>
    run(command, args, { ...options, env: { ...env, ...options.env } })
  const folder = cacheFolder()
  for (const [bits, name] of [[32, 'HEED_WASM_CATCH2'], [64, 'HEED_WASM64_CATCH2']]) {
    const catch2 = await catch2ForWasm({ bits, folder, log: setupLog(), locked, versions, run: runWith })
    if (catch2) env[name] = catch2
  }
  return { kind, versions, run: runWith }
}

async function openDebian() {
  const folder = cacheFolder()
  const record = join(folder, 'versions.json')
  const debian = debianRoot(folder, setupLog())
  const folders = [root, inRoot('../shared')].filter(existsSync)   // the tests' models are in ../shared
  const run = (command, args, options) => debian.run(command, args, { folders, ...options })
  const env = {
    CC: 'clang',
    CXX: 'clang++',
    EM_CACHE: join(folder, 'emscripten'),
    // Code that any clone has compiled is not compiled again.
    CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
    CCACHE_DIR: join(folder, 'ccache'),
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: 'true',
    CCACHE_MAXSIZE: '2G',
    HEED_WARNINGS_AS_ERRORS: 'ON',   // the compilers are known, so a new warning is due to our changes
  }
  if (!debian.ready() || !existsSync(record)) {
    await locked(() => debian.prepare(async () => {
      const versions = await step('check its versions', () =>
        findVersions((command, args, options) => run(command, args, { ...options, env })))
      const missing = shortcomings(versions)
      if (missing.length > 0) throw new Error(`what it has is not enough: Heed needs ${missing.join(', ')}`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(record, `${JSON.stringify(versions, null, 2)}\n`)
    }))
  }
  return withCatch2({ kind: 'debian', versions: JSON.parse(readFileSync(record, 'utf8')), run }, env)
}
