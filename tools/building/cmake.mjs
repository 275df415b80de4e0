// Configures and builds presets of CMakePresets.json with the toolchain.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inRoot, root } from '../paths.mjs'
import { say, step } from '../running/steps.mjs'

const logOf = preset => inRoot('build', preset, 'build.log')
const isWasm = preset => preset.startsWith('wasm-')

/** Whether `preset` has ever been configured with tests. It then stays so, because switching back and forth takes time. */
function hasTests(preset) {
  const cache = inRoot('build', preset, 'CMakeCache.txt')
  return existsSync(cache) && /^BUILD_TESTING:BOOL=ON$/m.test(readFileSync(cache, 'utf8'))
}

/** The last task in each preset's folder: the next one waits for it, as suites run side by side. */
const last = new Map()

function inFolderOf(preset, body) {
  const turn = (last.get(preset) ?? Promise.resolve()).then(body)
  last.set(
    preset,
    turn.catch(() => {}),
  )
  return turn
}

/**
 * Configures `preset` in build/<preset>, with its tests if `tests`; starts over if it was configured with another toolchain or in
 * another folder.
 */
export const configurePreset = (toolchain, preset, options) => inFolderOf(preset, () => configure(toolchain, preset, options))

async function configure(toolchain, preset, { tests = false } = {}) {
  const {
    kind,
    versions: { cmake, ninja, emcc, compiler },
  } = toolchain
  const folder = inRoot('build', preset)
  const stamp = `${folder}/toolchain.json`
  const maker = JSON.stringify({ root, kind, versions: { cmake, ninja, ...(isWasm(preset) ? { emcc } : { compiler }) } }, null, 2)
  const fresh = !existsSync(stamp) || readFileSync(stamp, 'utf8') !== maker
  const testing = tests || (!fresh && hasTests(preset))
  if (testing && isWasm(preset)) await toolchain.needCatch2(preset.endsWith('64') ? 64 : 32)
  mkdirSync(folder, { recursive: true })
  rmSync(logOf(preset), { force: true })
  await toolchain.run(
    'cmake',
    ['--preset', preset, '--log-level=WARNING', `-DBUILD_TESTING=${testing ? 'ON' : 'OFF'}`, ...(fresh ? ['--fresh'] : [])],
    { cwd: root, log: logOf(preset) },
  )
  writeFileSync(stamp, maker)
}

/**
 * Builds `targets` of `preset` in build/<preset>, `jobs` units at a time (by default as many as CMake chooses); also calls `report`
 * with its progress.
 */
export const buildPreset = (toolchain, preset, targets, { tests = false, jobs, report: alsoReport } = {}) =>
  inFolderOf(preset, () =>
    step(`build ${preset}: ${targets.join(', ')}`, async report => {
      await configure(toolchain, preset, { tests })
      const warnings = []
      const parallel = jobs ? ['--parallel', String(jobs)] : []
      await toolchain.run('cmake', ['--build', inRoot('build', preset), ...parallel, '--target', ...targets], {
        cwd: root,
        log: logOf(preset),
        onLine(line) {
          const progress = /^\[(\d+\/\d+)\]/.exec(line)?.[1]
          if (progress) {
            report(progress)
            alsoReport?.(progress)
          }
          if (/\bwarning: /.test(line)) warnings.push(line)
        },
      })
      for (const line of warnings) say(line)
    }),
  )
