// Runs the examples of the reference as they stand, on models that support them. Their addresses lead to a hub of the tests, which
// has the files that they name.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { transformWithOxc } from 'vite'
import { inRoot } from '../../tools/paths.mjs'
import { adapterFile, controlVectorFile } from '../support/adapters.mjs'
import { dictionaryConfig, dictionaryFiles, dictionaryTensors, safetensors } from '../support/dictionary.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { startHub } from '../support/hub/index.mjs'
import { hearingProjectorFile, projectorFile, shaded } from '../support/projector_model.mjs'
import { reranker } from '../support/reranker.mjs'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { defaultModelBytes, needsShared, sharedFile } from './support.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-reference-'))
process.env.HEED_MODELS = join(folder, 'models')
const heed = await import('heed')

let hub, home
before(async () => {
  const bytes = defaultModelBytes()
  hub = await startHub({ 'OWNER/REPOSITORY': { 'model-Q8_0.gguf': bytes, 'model-Q4_K_M.gguf': bytes } })
  writeFileSync(join(folder, 'pirate.gguf'), adapterFile({ architecture: 'llama', width: 128, heads: 4, headDim: 32 }))
  writeFileSync(join(folder, 'happy.gguf'), controlVectorFile({ width: 128 }, [1, 2, 3]))
  home = process.cwd()
  process.chdir(folder)
})
after(async () => {
  process.chdir(home)
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** The files of a dictionary of features for the bundled model. */
const features = () => dictionaryFiles(dictionaryConfig(128, 24), safetensors(dictionaryTensors(128, 24)))

/** Options that name the hub of the tests. */
const here = options => ({ ...options, hub: { endpoint: hub.endpoint } })
const loadModel = (source, options) => heed.loadModel(source, `${source}`.startsWith('hf:') ? here(options) : options)
const modelStore = {
  ...heed.modelStore,
  ...Object.fromEntries(
    ['download', 'has', 'fits'].map(name => [name, (source, options) => heed.modelStore[name](source, here(options))]),
  ),
}

const one = { threads: 1 }
const load = source => heed.loadModel(source, one)
/** The values that examples use without declaring them: a function for each, called if an example names it. */
const makes = {
  model: () => load(),
  vlm: () => heed.loadModel(undefined, { ...one, projector: projectorFile(128) }),
  listener: () => heed.loadModel(undefined, { ...one, projector: hearingProjectorFile(128) }),
  clip: () => load(goldenBytes('clip')),
  vit: () => load(goldenBytes('vit')),
  reranker: () => load(reranker().bytes),
  file: () => shaded(3),
  image: () => shaded(3),
  texts: () => ['the fox', 'a river'],
  question: () => 'who is tired?',
  ids: () => [1, 2, 3],
  messages: () => [{ role: 'user', content: 'Hi' }],
  session: async ({ model }) => {
    const session = await model.session()
    await session.append('Once upon a time there was a small fox who lived near a river.')
    return session
  },
  earlier: ({ model }) => model.session(),
  input: () => ({ files: features() }),
  sae: ({ model }) => model.loadFeatures(features()),
  q8: () => load(),
  q4: () => load(),
  constraint: ({ model }) => model.compile({ jsonSchema: { type: 'array', items: { type: 'string' } } }),
}
const spoken = () => new Blob([wavFile(chirp(1))])
/** Values that differ on some pages. */
const others = {
  'model.gates': { model: () => load(sharedFile('oracle26', 'models/mamba2.gguf')) },
  'model.embed': {
    // Its vectors are shorter than those of the example's model.
    model: async () => {
      const model = await load(goldenBytes('qwen3-embedding'))
      return { embed: (all, options) => model.embed(all, { ...options, dimensions: 16 }), dispose: () => model.dispose() }
    },
  },
  'model.audioTokens': { file: spoken },
  'model.transcribe': {
    model: () => load(whisperModel({ positions: 50 })),
    file: spoken,
    samples: () => chirp(1),
    // Node has no microphones: in place of one, a sound that arrives in two pieces
    navigator: () => ({
      mediaDevices: { getUserMedia: async () => ({ sampleRate: 16_000, data: ReadableStream.from([chirp(1), chirp(1)]) }) },
    }),
  },
  'modelStore.import': { file: () => new File([defaultModelBytes()], 'stories.gguf') },
  'model.unloadAdapter': {
    model: async () => {
      const model = await load()
      await model.loadAdapter('pirate', 'pirate.gguf')
      return model
    },
  },
}

const disposable = ['model', 'q8', 'q4', 'vlm', 'listener', 'clip', 'vit', 'reranker']
const AsyncFunction = (async () => {}).constructor

/** Runs an example with the values that it names. */
async function run(page, source) {
  const { code } = await transformWithOxc(source, 'example.ts')
  const has = {}
  const make = { ...makes, ...others[page] }
  const isNamed = name => new RegExp(`\\b${name}\\b`).test(source)
  const needed = ['session', 'earlier', 'constraint', 'sae'].some(isNamed) ? ['model'] : []
  for (const name of Object.keys(make)) if (isNamed(name) || needed.includes(name)) has[name] = await make[name](has)
  try {
    const given = {
      ...has,
      loadModel,
      modelStore,
      decodeImage: heed.decodeImage,
      compareModels: heed.compareModels,
      similarity: heed.similarity,
      console: { log() {} },
    }
    await new AsyncFunction(...Object.keys(given), `{ ${code} }`)(...Object.values(given))
  } finally {
    await Promise.all(disposable.map(name => has[name]?.dispose()))
  }
}

const pages = readdirSync(inRoot('docs/reference')).filter(
  name => name.endsWith('.md') && !['README.md', 'properties.md'].includes(name) && !name.startsWith('types-'),
)

test('there is a page for each call', () => assert.ok(pages.length > 40, `${pages.length}`))

/** The properties of an object, its own and inherited ones, but not those that all errors have. */
function propertiesOf(object) {
  const names = new Set(Object.keys(object))
  for (let at = Object.getPrototypeOf(object); at && at !== Error.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (get && name !== '__proto__') names.add(name)
  return [...names].filter(name => !(object instanceof Error && name in new Error('', { cause: '' }))).sort()
}

test('the page of properties has each property of a model, a session, an answer and an error', async () => {
  const text = readFileSync(inRoot('docs/reference/properties.md'), 'utf8')
  const described = name => {
    const [, section] = text.split(`\n## ${name}\n`)
    return [...section.split('\n## ')[0].matchAll(/^\| `(\w+)\??` \|/gm)].map(([, property]) => property).sort()
  }
  const model = await load()
  try {
    assert.deepEqual(described('Model'), propertiesOf(model))
    assert.deepEqual(described('Session'), propertiesOf(await model.session()))
    const generation = model.generate('Once', { maxTokens: 1 })
    assert.deepEqual(described('Generation'), propertiesOf(generation))
    await generation
    const chat = model.chat([{ role: 'user', content: 'Hi' }], { maxTokens: 1 })
    assert.deepEqual(described('Chat'), propertiesOf(chat))
    await chat
    const given = { contextLength: 1, index: 1 }
    const error = new heed.HeedError('io', 'a message', given)
    assert.deepEqual(described('HeedError'), propertiesOf(error))
  } finally {
    await model.dispose()
  }
})

for (const name of pages) {
  const [, part] = readFileSync(inRoot('docs/reference', name), 'utf8').split(/^## Examples?$/m)
  const page = name.replace(/\.md$/, '')
  test(`the examples of ${page} run`, page === 'model.gates' ? needsShared : {}, async () => {
    const examples = [...part.split('\n## ')[0].matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source]) => source)
    assert.ok(examples.length > 0)
    for (const source of examples) await run(page, source)
  })
}
