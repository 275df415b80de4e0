// The C++ programs that measure a part of the engine, natively and as WebAssembly in the toolchain's Node. They print one line of
// JSON per figure.
import { buildPreset } from '../building/cmake.mjs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'

/** A place where programs run: built with `preset`, started by `command(path)`. */
export const natively = { preset: 'native-release', command: path => [path] }
/** The same for a preset of WebAssembly, with `flags` for Node. */
export const inNode = (preset, ...flags) => ({ preset, command: path => ['node', ...flags, `${path}.cjs`] })

/** Builds `program` for a place; resolves to a function that runs it with `args` and resolves to what it printed, as objects. */
export async function programAt(toolchain, program, { preset, command }) {
  await buildPreset(toolchain, preset, [program])
  const [executable, ...flags] = command(inRoot('build', preset, program))
  return async (title, args) => {
    const { stdout } = await step(title, () => toolchain.run(executable, [...flags, ...args], { capture: true }))
    return stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }
}
