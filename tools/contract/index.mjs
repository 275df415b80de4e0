// `npm run contract`: writes the files that are generated from the contract in api/. tests/tools/contract.test.js checks that they
// are current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inRoot } from '../paths.mjs'
import { laidOut } from '../style/biome.mjs'
import { bindingFiles } from './binding.mjs'
import { loadContract } from './load.mjs'
import { methodsFile } from './methods.mjs'
import { nativeFiles } from './native.mjs'
import { offerFiles } from './offers.mjs'
import { referenceFiles } from './reference.mjs'
import { readerFiles, typeFiles, wireFile } from './types.mjs'

/** Resolves to the files, [path, text]. */
export async function generated() {
  const contract = await loadContract()
  const files = [
    ...typeFiles(contract),
    wireFile(contract),
    ...readerFiles(contract),
    methodsFile(contract),
    ...offerFiles(contract),
    ...bindingFiles(contract),
    ...nativeFiles(contract),
  ].map(([path, text]) => [path, path.endsWith('.ts') ? laidOut(path, text) : text])
  const written = new Map(files)
  return [...files, ...referenceFiles(contract, path => written.get(path) ?? readFileSync(inRoot(path), 'utf8'))]
}

/** Writes the files that are not current; returns their paths. */
export async function writeGenerated() {
  const differing = (await generated()).filter(
    ([path, text]) => !existsSync(inRoot(path)) || readFileSync(inRoot(path), 'utf8') !== text,
  )
  for (const [path, text] of differing) {
    mkdirSync(dirname(inRoot(path)), { recursive: true })
    writeFileSync(inRoot(path), text)
  }
  return differing.map(([path]) => path)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of await writeGenerated()) console.log(`written: ${path}`)
}
