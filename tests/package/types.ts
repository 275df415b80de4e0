// Code that the types must accept and code that they must reject; compiled by types.test.js, never run.
import { decodeImage, HeedError, loadModel, type Pixels, similarity } from 'heed'
import { z } from 'zod'
import type {
  ChatMessage,
  Tool,
  Attention,
  AttentionOf,
  AttentionParts,
  Attribution,
  Classification,
  ContinuationScore,
  Direction,
  Edit,
  FinishReason,
  GenerateResult,
  HeadScores,
  HeedErrorCode,
  Hidden,
  ImageAttention,
  ImagePatch,
  Lens,
  Memory,
  Model,
  Score,
  Session,
  TextImage,
  Token,
  TokenProbability,
  ValueNorms,
} from 'heed'

const model: Model = await loadModel()
await loadModel('model.gguf', { threads: 2, contextLength: 512, kvCache: 'f16', simd: 'relaxed' })
await loadModel('model.gguf', { memoryLimit: 2 ** 30, signal: AbortSignal.timeout(1000) })
await loadModel('model.gguf', { parallel: 4, prefixCache: 2 ** 28 })
await loadModel(new URL('https://example.org/model.gguf'), {
  onProgress: ({ loaded, total }) => loaded / (total ?? Infinity),
})
await loadModel(new Blob([]))
await loadModel(new ArrayBuffer(8))
await loadModel(new Uint8Array(8))
await loadModel((await fetch('model.gguf')).body!)
await loadModel(await (await navigator.storage.getDirectory()).getFileHandle('model.gguf'))
// @ts-expect-error a number is not a source
await loadModel(5)
// @ts-expect-error unknown option
await loadModel(undefined, { thread: 2 })
// @ts-expect-error unknown module
await loadModel(undefined, { simd: 'avx2' })

for await (const token of model.generate('Once', { stop: ['.', '!'], logitBias: { 5: -Infinity } })) {
  const { id, text, logprob }: Token = token
  const other: number | undefined = token.alternatives?.[0]?.logprob
  const weight: number | undefined = token.attention?.[0]?.[0]?.[0]
  // @ts-expect-error tokens are read-only
  token.text = String([id, text, logprob, other, weight])
}
const options = { attention: { layers: [0] }, logitBias: new Map([[1, 2]]) }
const result: GenerateResult = await model.generate([1, 2, 3], options)
const reason: FinishReason = result.finishReason
// @ts-expect-error unknown reason
reason === 'done'
// @ts-expect-error unknown option
model.generate('Once', { temprature: 1 })
// @ts-expect-error a prompt is needed
model.generate()
const seed: number = model.generate('Once').seed
const text: Promise<string> = model.generate('Once', { seed }).then(({ text }) => text)
await text

model.generate('Once', { speculate: 'off', contextShift: { keep: 64 } })
// @ts-expect-error `keep` is required
model.generate('Once', { contextShift: {} })
const accepted: number = result.timings.acceptedTokens / result.timings.guessedTokens
const session: Session = await model.session()
for await (const token of session.generate('Once', { maxTokens: 1 })) token.text
await session.append([accepted], { addSpecial: false, signal: AbortSignal.timeout(1000) })
// @ts-expect-error append does not generate
await session.append('Once', { maxTokens: 1 })
const branch: Session = await session.fork()
const held: readonly number[] = branch.tokens
await branch.truncate(Math.min(held.length, branch.length))
// @ts-expect-error `length` is read-only
branch.length = 0
const saved: Uint8Array = await branch.save()
const again: Session = await model.restore(saved)
await again.dispose()
const { bytes, mostBytes }: Memory = await model.memory()
await model.restore(new ArrayBuffer(mostBytes - bytes))
// @ts-expect-error a string is not a saved session
await model.restore('saved')

const ids: number[] = await model.tokenize('Once', { addSpecial: false, parseSpecial: true })
const back: string = await model.detokenize(Int32Array.from(ids), { special: true, tidySpaces: true })
await model.detokenize([back.length])
const logits: Float32Array = await model.logits(ids, { positions: 'all' })
await model.logits([logits.length], { positions: [0] })
// @ts-expect-error only 'all' or a list
await model.logits(ids, { positions: 'last' })
const attention: Attention = await model.attention('Once', { layers: [0], heads: [0, 1] })
const weight: number | undefined = attention.weights[0]?.[0]?.[0]
const { tokens, keys, of }: Attention = await model.attention([1], { of: 'cross', source: 'Once' })
const kind: AttentionOf = tokens.length > keys.length ? of : 'encoder'
const part: number | undefined = tokens[0]?.part?.index
const parts: number | undefined = keys[0]?.part?.count
// @ts-expect-error unknown kind of attention
await model.attention('Once', { of: 'image' })
model.generate('Once', { attention: { of: 'cross', layers: [0] } })
// @ts-expect-error generated tokens have no attention of the encoder
model.generate('Once', { attention: { of: kind === 'encoder' ? kind : 'encoder' } })
await model.logits([model.info.decoderStart ?? 0], { source: [1, 2] })

const { states }: Hidden = await model.hidden('Once', { layers: [-1, 0], positions: [-1] })
const { layers: said }: Lens = await model.lens('Once', { top: 5, tokens: [' upon', 5], positions: 'all' })
const { id: likely }: TokenProbability = said[0]!.predictions[0]!.top[0]!
const { logProbs, perplexity }: Score = await model.score('Once upon', { adapters: { a: 0.5 } })
const [ranked]: ContinuationScore[] = await model.score([likely], [' upon', [1, 2]], { by: 'mean' })
// @ts-expect-error only continuations are ranked by something else
ranked!.by === logProbs[perplexity]
const [found]: HeadScores[] = await model.findHeads({ length: 20, sequences: 2, seed: 1, adapters: { a: 1 } })
// @ts-expect-error scores are of kinds that there are
found!.copy
const { scores, keyVectors, sink, softCap }: AttentionParts = await model.attentionParts('Once', {
  layer: 0,
  head: 1,
  query: -1,
  of: 'decoder',
})
// @ts-expect-error a head is needed
await model.attentionParts('Once', { layer: scores[keyVectors.length]! + (sink ?? 0) + (softCap ?? 0) })
const { norms }: ValueNorms = await model.valueNorms('Once', { layers: [0], heads: [1], of: 'decoder' })
// @ts-expect-error there are no values of a token's own in cross-attention
await model.valueNorms(norms[0]![0]!, { of: 'cross' })
const { heads: written }: Attribution = await model.attribute('Once', { token: ' upon', position: ranked!.index })
await model.attribute('Once', { edits: [], adapters: { a: 0.5 } })
await loadModel('model.gguf', { adapters: { a: 'a.gguf', b: new Blob([]) } })
await model.loadAdapter('c', new Uint8Array(8), { cache: true, signal: AbortSignal.timeout(written.length) })
// @ts-expect-error a source is needed
await model.loadAdapter('d')
await model.unloadAdapter('c')
// @ts-expect-error a name is needed
await model.unloadAdapter()
const steering: Edit[] = await model.controlVector('vector.gguf', { scale: 2, layers: [1, 3] })
const { vector: joy, layer: where, save }: Direction = await model.direction(['Joy'], [[1, 2]], { layer: 1 })
const steered: Uint8Array = save()
// @ts-expect-error a layer is needed
await model.direction(['Joy'], ['Pity'])
model.generate('Once', {
  adapters: { a: steered.length },
  edits: [
    ...steering,
    { add: joy, layer: where },
    { add: states[0]!, layer: 0, scale: 2, positions: 'all' },
    { replace: [1, 2], layer: -1, positions: [3] },
    { patch: 'Twice', layer: 0, positions: [[4, 4]] },
    { head: [0, 1], scale: 0 },
    { head: [0, 1], mean: [1, 2] },
    { cut: { layer: 0, query: [3, 4], key: 0 } },
  ],
})
// @ts-expect-error a patch says where
model.generate('Once', { edits: [{ patch: 'Twice', layer: 0 }] })
// @ts-expect-error a scale is a number
await model.logits([1], { adapters: { a: 'much' } })

const [vector]: Float32Array[] = await model.embed(['Once', [1, 2]], { pooling: 'mean', dimensions: 64, normalize: true })
const cosine: number = similarity(vector!, [1, 2])
// @ts-expect-error expects a list of texts
await model.embed('Once')
// @ts-expect-error unknown pooling
await model.embed([String(cosine)], { pooling: 'max' })
const image = new ImageData(2, 2)
const [picture]: Float32Array[] = await model.embedImages([image, { width: 1, height: 1, data: new Uint8Array(4) }, new Blob([])])
const decoded: Pixels = await decodeImage(new Blob([]))
const [best]: Classification[] = await model.classify(image, { top: picture!.length })
// @ts-expect-error classes are read-only
best!.label = 'fox'
const seen: ImageAttention = await model.imageAttention(image, { layers: [0], heads: [0] })
const share: number | undefined = seen.weights[0]?.[0]?.[seen.patches]
// @ts-expect-error a URL is not an image
await model.imageAttention(`fox.png?${share}`)
const reading = await loadModel(undefined, { projector: new Blob([]), onProgress: ({ file }) => file === 'projector' })
const acceptsImages: boolean = reading.info.acceptsImages
await reading.generate([
  { control: '<|user|>' },
  { image },
  { image: new Blob([]) },
  { image: new Uint8Array() },
  { image: document.createElement('canvas') },
  `${acceptsImages}`,
])
reading.chat([
  {
    role: 'user',
    content: [
      { type: 'image', image },
      { type: 'text', text: 'Hi' },
    ],
  },
])
const { images }: GenerateResult = await reading.generate([{ image, maxImageTokens: 64 }])
const patch: ImagePatch | undefined =
  images?.[0]?.patches[await reading.imageTokens({ width: 2, height: 2 }, { maxImageTokens: 64 })]
const [inText]: readonly TextImage[] = (await reading.attention([{ image }])).images ?? []
const [read, stated]: (readonly TextImage[] | undefined)[] = [
  (await reading.lens([{ image }])).images,
  (await reading.hidden([{ image }, 'Once'])).images,
]
const nextLogits: Float32Array = await reading.logits(['Once', { image }], { positions: 'all', addSpecial: false })
// @ts-expect-error a rectangle is read-only
patch!.x = inText!.width
// @ts-expect-error a bound is a number
reading.generate([{ image, maxImageTokens: 'low' }])
// @ts-expect-error a URL is not an image
reading.generate([{ image: 'fox.png' }])
// @ts-expect-error a part has one kind of content
reading.generate([{ images: [image] }])
const threads: number = model.info.threads + (weight ?? 0)
// @ts-expect-error info is read-only
model.info.threads = threads
await model.dispose()

try {
  await loadModel()
} catch (error) {
  if (error instanceof HeedError) {
    const code: HeedErrorCode = error.code
    // @ts-expect-error unknown code
    code === 'oops'
  }
}

// Values and arguments have the types that a Standard Schema gives them.
const place = z.object({ city: z.string(), days: z.coerce.number() })
const { parsed: ofPlace } = await model.generate('x', { jsonSchema: place })
const city: string | undefined = ofPlace?.city
// @ts-expect-error a city is a text
const wrongCity: number | undefined = ofPlace?.city
const typedChat = model.chat([{ role: 'user', content: 'x' }], {
  jsonSchema: place,
  tools: [
    { name: 'a', parameters: place, execute: ({ city, days }) => `${city.length} ${days.toFixed()}` },
    {
      name: 'b',
      parameters: z.object({ q: z.boolean().default(true) }),
      execute({ q }, { id }) {
        const given: boolean = q
        return `${given} ${id}`
      },
    },
    {
      name: 'c',
      execute: args => {
        const given: Record<string, unknown> = args
        return given
      },
    },
    { type: 'function', function: { name: 'd', parameters: { type: 'object' } }, execute: args => args.x },
  ],
})
const soFar: string | undefined = typedChat.parsed?.city
const whole: string | undefined = (await typedChat).parsed?.city
model.chat([], {
  tools: [
    {
      name: 'a',
      parameters: place,
      // @ts-expect-error there is no town
      execute: ({ town }) => town,
    },
  ],
})
const plainTool: Tool = { name: 'x', parameters: { type: 'object' }, execute: ({ a }) => a }
const placeTool: Tool<typeof place> = { name: 'x', parameters: place, execute: ({ city }) => city.length }
const toolList: Tool[] = [plainTool, placeTool]
await model.chat([{ role: 'user', content: 'x' }], { tools: [plainTool, placeTool] })
await session.chat([{ role: 'user', content: 'x' }], { tools: toolList, maxTokens: 4 })
const ofSession: string | undefined = (await session.generate('x', { jsonSchema: place })).parsed?.city
const ofJson: unknown = (await model.generate('x', { jsonSchema: { type: 'object' } })).parsed
console.log(city, wrongCity, soFar, whole, ofSession, ofJson)

// Messages that are misspelled are errors.
// @ts-expect-error no such role, no such property
await model.chat([{ role: 'usr', contnt: 'x' }])
// @ts-expect-error no such role
const noRole: ChatMessage = { role: 'usr', content: 'x' }
// @ts-expect-error no such property
const noContent: ChatMessage = { role: 'user', contnt: 'x' }
const ofTemplate = { role: 'observation', content: 'x', tool_plan: 'y' } as unknown as ChatMessage
console.log(noRole, noContent, ofTemplate)
