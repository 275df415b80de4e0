// Configures and builds presets of CMakePresets.json with the toolchain.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot, root } from './paths.mjs'
import { step } from './toolchain/steps.mjs'

/** Configures `preset` in build/<preset>; starts over if that was configured with another toolchain or in another folder. */
export async function configurePreset(toolchain, preset) {
  const folder = inRoot('build', preset)
  const stamp = `${folder}/toolchain.json`
  const maker = JSON.stringify({ root, kind: toolchain.kind, versions: toolchain.versions }, null, 2)
  const fresh = !existsSync(stamp) || readFileSync(stamp, 'utf8') !== maker
  const configure = ['--preset', preset, '--log-level=WARNING', ...(fresh ? ['--fresh'] : [])]
  await toolchain.run('cmake', configure, { cwd: root })
  mkdirSync(folder, { recursive: true })
  writeFileSync(stamp, maker)
}

/** Builds `targets` of `preset` in build/<preset>. */
export const buildPreset = (toolchain, preset, targets) => step(`build ${preset}: ${targets.join(', ')}`, async () => {
  await configurePreset(toolchain, preset)
  await toolchain.run('cmake', ['--build', inRoot('build', preset), '--target', ...targets], { cwd: root })
})
