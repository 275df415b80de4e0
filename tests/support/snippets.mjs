// The code of the README and of the manual: its blocks, its TypeScript as runnable programs, and the models that these load.
import { readdirSync, readFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import { inRoot } from '../../tools/paths.mjs'
import { adapterFile } from './adapters.mjs'
import { draftingModel } from './drafting_model.mjs'
import { goldenBytes } from './golden.mjs'
import { isBuilt } from './modules.mjs'
import { hearingProjectorFile, projectorFile } from './projector_model.mjs'
import { reranker } from './reranker.mjs'
import { scriptedModel } from './scripted_model.mjs'
import { whisperModel } from './whisper_model.mjs'

/** Folders of docs/ whose pages have tests of their own. */
const apart = /^(?:reference|contributing)\//

/** The documents with code that is tried here, as paths from the root. */
export const documents = [
  'README.md',
  ...readdirSync(inRoot('docs'), { recursive: true })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.md') && !apart.test(path))
    .map(path => `docs/${path}`)
    .sort(),
]

export const textOf = path => readFileSync(inRoot(path), 'utf8')

/**
 * Each block of code of a document: its language, its source, the line where it starts, the file that it is a copy of (`<!-- from
 * examples/… -->` stands before it), whether readers of the manual can run it (`<!-- live -->`), and a name without slashes.
 */
export const blocksOf = path =>
  [...textOf(path).matchAll(/(?:^<!-- (live|from \S+) -->\n)?^```(\w*)\n(.*?)^```$/gms)].map(
    ({ 1: note, 2: language, 3: source, index }) => {
      const line = textOf(path).slice(0, index).split('\n').length
      const name = `${path.replace(/\.md$/, '').replaceAll('/', '-')}-${line}`
      const from = note?.startsWith('from ') ? note.slice('from '.length) : undefined
      return {
        path,
        from,
        isLive: note === 'live',
        language,
        source,
        line,
        name,
        needsPage: /\b(?:document\.|indexedDB\b)/.test(source),
      }
    },
  )

/** The TypeScript that stands for itself. */
export const programsOf = path => blocksOf(path).filter(({ language, from }) => language === 'ts' && !from)

/** Why a block cannot run: it names a module that is not built; false if it can. */
export function obstacle({ source }) {
  const lacks = ['simd128', 'memory64'].find(name => source.includes(`'${name}'`) && !isBuilt(name))
  return lacks ? `heed-${lacks} is not built` : false
}

/** The package as a module in which names of the hub lead to a hub of the tests. */
export const onHub = (endpoint, heed) => `
import * as heed from '${heed}'
export * from '${heed}'
const here = options => ({ ...options, hub: { ...options?.hub, endpoint: '${endpoint}' } })
const isOnHub = source => \`\${source}\`.startsWith('hf:')
export const loadModel = (source, options) => heed.loadModel(source, isOnHub(source) ? here(options) : options)
export const modelStore = { ...heed.modelStore, download: (source, options) => heed.modelStore.download(source, here(options)) }
`

/** The files of that hub. */
export const hubFiles = () => ({
  'Qwen/Qwen2.5-0.5B-Instruct-GGUF': { 'qwen2.5-0.5b-instruct-q4_k_m.gguf': scriptedModel(['It scatters blue light most.']) },
})

/** The block as a JavaScript module, which imports `hub` in place of the package if it loads from a hub. */
export async function runnable({ source, name }, hub) {
  const { code } = await transformWithOxc(source, `${name}.ts`)
  return source.includes("'hf:") ? code.replace(/(from ['"])heed(['"])/, `$1${hub}$2`) : code
}

/** The files that the blocks load, by name. */
export const modelFiles = () => ({
  ...Object.fromEntries(['bert', 'vit', 'clip', 't5'].map(name => [`${name}.gguf`, goldenBytes(name)])),
  'reranker.gguf': reranker().bytes,
  'ggml-base.bin': whisperModel({ positions: 50 }),
  'vlm.gguf': fileBytes('models/heed-stories.gguf'),
  'my.gguf': fileBytes('models/heed-stories.gguf'),
  'big.gguf': fileBytes('models/heed-stories.gguf'),
  'small.gguf': fileBytes('models/heed-stories.gguf'),
  'qwen.gguf': draftingModel(),
  'mmproj.gguf': projectorFile(128), // for the bundled model
  'listener.gguf': fileBytes('models/heed-stories.gguf'),
  'mmproj-audio.gguf': hearingProjectorFile(128),
  'pirate.gguf': adapterFile({ architecture: 'llama', width: 128, heads: 4, headDim: 32 }), // of the bundled model
  'chat.gguf': scriptedModel(['It scatters blue light most.', 'There is none to scatter.']),
})

const fileBytes = path => readFileSync(inRoot(path))
