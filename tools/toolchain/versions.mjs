// The versions of a toolchain's components, and the minimum versions that Heed needs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The components that build the WebAssembly modules, that everything else needs in addition, that run programs for AArch64, and
 * that tests with real material run. `compiler` can be any that supports C++20.
 */
const minima = {
  wasm: { cmake: '3.25', ninja: '1.10', emcc: '4.0' },
  native: { compiler: '0', xsimd: '13.0', catch2: '3.0' },
  arm: { 'aarch64-linux-gnu-g++': '10.0', 'qemu-aarch64': '5.0' },
  real: { spm_train: '0.2' },
}

const probeFolder = fileURLToPath(new URL('probe', import.meta.url))

const atLeast = (version, minimum) => {
  const [a, b] = [version, minimum].map(text => text.split('.').map(Number))
  const i = b.findIndex((part, index) => (a[index] ?? 0) !== part)
  return i < 0 || (a[i] ?? 0) > b[i]
}

/** Asks the programs that `run` can start, for one part. Resolves to {name: version}, without missing programs. */
export async function findVersions(run, part) {
  const output = (command, ...args) =>
    run(command, args, { capture: true, check: false, cwd: tmpdir() }).then(
      ({ stdout }) => stdout,
      () => '',
    )
  const found = {}
  const record = (name, text) => {
    const version = /\d+\.\d+(\.\d+)*/.exec(text)?.[0]
    if (version) found[name] = version
  }
  if (part !== 'native') {
    const programs = Object.keys(minima[part])
    const texts = await Promise.all(programs.map(program => output(program, '--version')))
    programs.forEach((program, index) => record(program, texts[index]))
    return found
  }
  const build = mkdtempSync(join(tmpdir(), 'heed-probe-'))
  const probe = await output('cmake', '-G', 'Ninja', '-S', probeFolder, '-B', build)
  rmSync(build, { recursive: true, force: true })
  for (const [, name, version] of probe.matchAll(/^-- found (\w+) (.*)$/gm)) record(name, version)
  return found
}

/** The missing or outdated `versions` of a part, in words; empty if none. */
export const shortcomings = (versions, part) =>
  Object.entries(minima[part])
    .filter(([name, minimum]) => !versions[name] || !atLeast(versions[name], minimum))
    .map(([name, minimum]) => {
      const need = name === 'compiler' ? 'a C++20 compiler' : `${name} ${minimum} or newer`
      return versions[name] ? `${need} (found ${versions[name]})` : need
    })
