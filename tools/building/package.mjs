// Builds the npm package in dist/: scripts, the engine's glue and modules, custom elements, types, the default model, and third-party
// licenses. A build for the page or for tests may lack modules: stand-ins are in their place, and only `allModuleNames` makes a
// package to publish.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'
import { setModes } from './modes.mjs'
import { allModuleNames, buildModule, hasGlue, sourceHash, wasmFilesOf, wasmOf } from './modules.mjs'
import { runNpmProgram } from './npm.mjs'
import { withUndefined } from './optional.mjs'
import { bundle, glueScript, otherScripts, pageScripts } from './scripts.mjs'
import { checkSizes } from './sizes.mjs'
import { writeThirdParty } from './third-party.mjs'

/** Builds the package with all modules. */
export async function buildPackage(toolchain) {
  for (const name of allModuleNames) await buildModule(toolchain, name)
  await assemblePackage(allModuleNames)
}

/** Builds everything in the package except `modules`, which must have been built. */
export async function assemblePackage(modules) {
  await step('build the package', async () => {
    startDist()
    const types = writeTypes()
    await Promise.all([
      types,
      ...elementRooms.map(room => types.then(() => writeElementTypes(room))), // they refer to the package's
      ...elementRooms.map(bundleElements),
      ...[...pageScripts, ...otherScripts].map(script => bundle(script, modules)),
      ...allModuleNames.map(name => (modules.includes(name) ? addModule(name) : standIn(name))),
    ])
    writeThirdParty(modules.length > 0)
    setModes('.', ['dist'])
  })
  checkSizes(modules)
}

/** Builds what the page imports, with a stand-in for each module. */
export async function buildPagePackage() {
  startDist()
  await Promise.all([
    bundleElements('viewer'),
    ...pageScripts.map(script => bundle(script, [])),
    ...allModuleNames.map(name => standIn(name)),
  ])
  writeThirdParty(false)
}

function startDist() {
  rmSync(inRoot('dist'), { recursive: true, force: true })
  for (const folder of ['dist', 'build/modules']) mkdirSync(inRoot(folder), { recursive: true })
  cpSync(inRoot('models/heed-stories.gguf'), inRoot('dist/heed-stories.gguf'))
}

/** Replaces a module's stand-in with the built module. */
export async function addModule(name) {
  if (hasGlue(name)) await bundle(glueScript(name), [])
  for (const file of wasmFilesOf(name)) cpSync(wasmOf(file), inRoot('dist', file))
}

/** The text of a stand-in depends on the sources, including the glue's, so that file names of each version of the page differ. */
function standIn(name) {
  const hash = sourceHash(['bindings/js'])
  for (const file of [...(hasGlue(name) ? [`heed-${name}.js`] : []), ...wasmFilesOf(name)]) {
    const said = `${file} of ${hash} is not built`
    // The script throws when it runs, for example in a Node without relaxed SIMD.
    const script = `throw Object.assign(new Error('${said}, which is needed here: npm run build'), { code: 'unsupported' })\n`
    writeFileSync(inRoot('dist', file), file.endsWith('.js') ? script : `${said}\n`)
  }
}

/** Where package.json has the types of the facades, and the modules that declare them. */
const typesOfFacades = {
  'ai-sdk.d.ts': './facades/ai-sdk/index.js',
  'langchain.d.ts': './facades/langchain/index.js',
  'mcp.d.ts': './facades/mcp/index.js',
  'react.d.ts': './facades/react/index.js',
  'openai/index.d.ts': '../facades/openai/index.js',
  'prompt-api/index.d.ts': '../facades/prompt-api/index.js',
  'task-apis/index.d.ts': '../facades/task-apis/index.js',
}

/** Makes optional properties in all declarations of a folder accept undefined. */
function acceptUndefined(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.d.ts'))) {
    writeFileSync(join(folder, name), withUndefined(readFileSync(join(folder, name), 'utf8')))
  }
}

async function writeElementTypes(room) {
  await runNpmProgram('typescript/bin/tsc', '-p', `bindings/${room}`)
  acceptUndefined(inRoot('dist/types', room))
}

/** Checks the types and writes them twice: for `import` and for `require`. */
async function writeTypes() {
  await runNpmProgram('typescript/bin/tsc', '-p', 'bindings/js')
  const types = inRoot('dist/types')
  rmSync(inRoot('dist/types/cli'), { recursive: true }) // a program, which nobody imports
  acceptUndefined(types)
  for (const [name, module] of Object.entries(typesOfFacades)) {
    mkdirSync(dirname(join(types, name)), { recursive: true })
    writeFileSync(join(types, name), `export * from '${module}'\n`)
  }
  cpSync(types, inRoot('dist/types-cjs'), { recursive: true })
  writeFileSync(inRoot('dist/types-cjs/package.json'), '{ "type": "commonjs" }\n')
}

/** Folders of bindings with custom elements; each is built into a file with its styles. */
const elementRooms = ['viewer', 'elements']

const bundleElements = room => runNpmProgram('vite/bin/vite.js', 'build', `bindings/${room}`, '--logLevel', 'warn')
