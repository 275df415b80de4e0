// Builds the page in build/page from the package in dist/, and the manual in its folder manual.
import { cpSync, readdirSync } from 'node:fs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'
import { buildManual } from './manual.mjs'
import { runNpmProgram } from './npm.mjs'
import { addModule, buildPackage, buildPagePackage } from './package.mjs'

const bundlePage = () => runNpmProgram('vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn')
const checkTypes = () =>
  Promise.all(['web', 'web/offline/worker'].map(project => runNpmProgram('typescript/bin/tsc', '-p', project)))

/** Builds the page from the package that is in dist/. */
export async function buildPageOf() {
  await step('build the page', () => Promise.all([bundlePage(), checkTypes()]))
  await buildManual()
}

/** Builds the package and the page. */
export async function buildPage(toolchain) {
  await buildPackage(toolchain)
  await buildPageOf()
}

/** Builds the page with a stand-in for each module, without a check of types: needs no compiler, and a few seconds. */
export const buildPageWithoutModules = () =>
  step('build the page', async () => {
    await buildPagePackage()
    await bundlePage()
  })

/** Replaces the stand-ins of a module in dist/ and in the page with the built module. */
export async function fillPage(name) {
  await addModule(name)
  const assets = inRoot('build/page/assets')
  for (const file of readdirSync(assets)) {
    const [, part, extension] = new RegExp(`^(heed-${name}(?:-extra)?)-[\\w-]{8}(\\.(?:js|wasm))$`).exec(file) ?? []
    if (part) cpSync(inRoot('dist', part + extension), `${assets}/${file}`)
  }
}
