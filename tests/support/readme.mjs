// The README's TypeScript as runnable programs, and the models that they load.
import { readFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import { inRoot } from '../../tools/paths.mjs'
import { adapterFile } from './adapters.mjs'
import { goldenBytes } from './golden.mjs'
import { isBuilt } from './modules.mjs'
import { projectorFile } from './projector_model.mjs'
import { reranker } from './reranker.mjs'
import { scriptedModel } from './scripted_model.mjs'

export const readme = () => readFileSync(inRoot('README.md'), 'utf8')

/** Each block of TypeScript: its source, the line where it starts, and whether it needs a page. */
export const readmeBlocks = () =>
  [...readme().matchAll(/^```ts\n(.*?)^```$/gms)].map(({ 1: source, index }) => ({
    source,
    line: readme().slice(0, index).split('\n').length,
    needsPage: /\bdocument\b/.test(source),
  }))

/** Why a block cannot run: it names a module that is not built; false if it can. */
export function obstacle({ source }) {
  const lacks = ['simd128', 'memory64'].find(name => source.includes(`'${name}'`) && !isBuilt(name))
  return lacks ? `heed-${lacks} is not built` : false
}

/** The block as a JavaScript module, which sets `globalThis.ran` when it has run. */
export async function runnable({ source, line }) {
  const { code } = await transformWithOxc(`${source}\nObject.assign(globalThis, { ran: true })\n`, `readme-${line}.ts`)
  return code
}

/** The files that the blocks load, by name. */
export const readmeModels = () => ({
  ...Object.fromEntries(['bert', 'vit', 'clip', 't5'].map(name => [`${name}.gguf`, goldenBytes(name)])),
  'reranker.gguf': reranker().bytes,
  'vlm.gguf': readFileSync(inRoot('models/heed-stories.gguf')),
  'mmproj.gguf': projectorFile(128), // for the bundled model
  'pirate.gguf': adapterFile({ architecture: 'llama', width: 128, heads: 4, headDim: 32 }), // of the bundled model
  'chat.gguf': scriptedModel(['It scatters blue light most.', 'There is none to scatter.']),
})
