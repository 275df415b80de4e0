// Code that the types of heed/ai-sdk must accept and code that they must reject; compiled by types.test.js, never run.
import type { EmbeddingModelV4, LanguageModelV4, ProviderV4, RerankingModelV4 } from '@ai-sdk/provider'
import { createProviderRegistry, embed, generateText, rerank, streamText, ToolLoopAgent } from 'ai'
import { loadModel, type Model } from 'heed'
import {
  createHeed,
  heed,
  type HeedEmbeddingModelOptions,
  type HeedLanguageModel,
  type HeedLanguageModelOptions,
  type HeedProvider,
} from 'heed/ai-sdk'

const model: Model = await loadModel()
const language: HeedLanguageModel = heed(model)
const models: LanguageModelV4[] = [
  language,
  heed(loadModel()),
  heed(),
  heed('model.gguf', { contextLength: 512 }),
  heed(new URL('https://example.org/m.gguf')),
  heed.languageModel(new Blob([])),
  heed(await navigator.storage.getDirectory().then(folder => folder.getFileHandle('model.gguf'))),
]
const encoders: EmbeddingModelV4[] = [heed.embedding(model), heed.embeddingModel('bert.gguf'), heed.textEmbeddingModel('bert.gguf')]
const scorers: RerankingModelV4[] = [heed.reranking(model), heed.rerankingModel('reranker.gguf')]
const provider: ProviderV4 = heed
const other: HeedProvider = createHeed({ threads: 2, loadModel: (await import('heed/in-thread')).loadModel })
createProviderRegistry({ heed: provider, other })
const loaded: Model = await language.load(({ loaded, total }) => loaded / (total ?? Infinity))
loaded.info.name satisfies string

const own = { think: false, minP: 0.1, variables: { date: 'today' }, contextShift: { keep: 4 } } satisfies HeedLanguageModelOptions
await generateText({ model: models[0]!, prompt: 'Hi', providerOptions: { heed: own } })
for await (const text of streamText({ model: language, prompt: 'Hi' }).textStream) text.trim()
new ToolLoopAgent({ model: language })
const pooling = { pooling: 'mean', normalize: true } satisfies HeedEmbeddingModelOptions
await embed({ model: encoders[0]!, value: 'Hi', providerOptions: { heed: pooling } })
await rerank({ model: scorers[0]!, query: 'Hi', documents: ['Hi'] })

// @ts-expect-error a number is not a model
heed(5)
// @ts-expect-error unknown option
heed('model.gguf', { thread: 2 })
// @ts-expect-error unknown option
createHeed({ apiKey: 'none' })
// @ts-expect-error a source is required
heed.embedding()
// @ts-expect-error unknown option
own satisfies HeedEmbeddingModelOptions
// @ts-expect-error vectors of tokens are not an embedding
'none' satisfies HeedEmbeddingModelOptions['pooling']
