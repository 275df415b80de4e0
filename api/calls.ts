// The public calls: their receivers, their options, and their events.
import type { Call } from './define.js'
import * as audio from './audio.js'
import * as generating from './generating.js'
import * as inspecting from './inspecting.js'
import * as lab from './lab.js'
import * as loading from './loading.js'
import * as texts from './texts.js'

const reading = { onProgress: 'PromptProgress' } as const
const files = { onProgress: 'LoadProgress' } as const
/** Options whose default depends on whether a session is empty. */
const depending = ['addSpecial'] as const

export const calls = {
  loadModel: { of: ['heed'], options: loading.LoadOptions, events: files },

  list: { of: ['modelStore'], options: loading.StoreOptions },
  clear: { of: ['modelStore'], options: loading.StoreOptions },
  clearKept: { of: ['modelStore'], options: loading.StoreOptions },
  estimate: { of: ['modelStore'], options: loading.StoreOptions },
  has: { of: ['modelStore'], options: loading.HubStoreOptions },
  delete: { of: ['modelStore'], options: loading.HubStoreOptions },
  download: { of: ['modelStore'], options: loading.DownloadOptions, events: files },
  fits: { of: ['modelStore'], options: loading.FitsOptions },
  import: { of: ['modelStore'], options: loading.ImportOptions, events: files },
  prune: { of: ['modelStore'], options: loading.PruneOptions },

  generate: {
    of: ['Model', 'Session'],
    options: generating.GenerateOptions,
    depending,
    events: { 'for await': 'Token', ...reading, onUnmasked: 'UnmaskedStep' },
  },
  chat: {
    of: ['Model', 'Session'],
    options: generating.ChatOptions,
    events: { 'for await': 'ChatEvent', onToken: 'Token', ...reading, onUnmasked: 'UnmaskedStep' },
  },
  chatTemplate: { of: ['Model'] },
  compile: { of: ['Model'], options: texts.CompileOptions },
  accepts: { of: ['Constraint'], options: texts.AcceptsOptions },
  session: { of: ['Model'] },
  restore: { of: ['Model'] },
  unfinished: { of: ['Model'] },
  append: { of: ['Session'], options: generating.AppendOptions, depending, events: reading },
  fork: { of: ['Session'] },
  truncate: { of: ['Session'] },
  save: { of: ['Session'] },

  tokenize: { of: ['Model'], options: texts.TokenizeOptions },
  imageTokens: { of: ['Model'], options: texts.ImageBound },
  audioTokens: { of: ['Model'] },
  detokenize: { of: ['Model'], options: texts.DetokenizeOptions },
  memory: { of: ['Model'] },
  metadata: { of: ['Model'], options: loading.MetadataOptions },

  logits: { of: ['Model'], options: inspecting.LogitsOptions },
  ...inspecting.readings,
  direction: { of: ['Model'], options: inspecting.DirectionOptions },
  score: { of: ['Model'], options: inspecting.ScoreOptions },
  findHeads: { of: ['Model'], options: inspecting.FindHeadsOptions },
  sweep: { of: ['Model'], options: lab.SweepOptions, lab: true, events: { onProgress: 'SweepProgress' } },
  loadFeatures: { of: ['Model'], options: lab.LoadFeaturesOptions, lab: true, events: files },
  features: { of: ['Model'], options: lab.FeaturesOptions, lab: true },
  featureEffect: { of: ['Model'], options: lab.FeatureEffectOptions, lab: true },
  collect: { of: ['Model'], options: lab.CollectOptions, lab: true, events: { onProgress: 'CollectProgress' } },
  means: { of: ['Model'], options: lab.MeansOptions, lab: true },
  probe: { of: ['Model'], options: lab.ProbeOptions, lab: true },
  weights: { of: ['Model'], options: lab.WeightsOptions, lab: true },
  compareModels: { of: ['heed'], options: lab.CompareOptions, lab: true },
  loadAdapter: { of: ['Model'], options: loading.AdapterOptions, events: files },
  unloadAdapter: { of: ['Model'] },
  controlVector: { of: ['Model'], options: loading.ControlVectorOptions, events: files },

  embed: { of: ['Model'], options: texts.EmbedOptions, events: { onProgress: 'EmbedProgress' } },
  rerank: { of: ['Model'], options: texts.RerankOptions },
  embedImages: { of: ['Model'], options: texts.EmbedImagesOptions },
  classify: { of: ['Model'], options: texts.ClassifyOptions },
  imageAttention: { of: ['Model'], options: inspecting.ImageAttentionOptions },
  transcribe: {
    of: ['Model'],
    options: audio.TranscribeOptions,
    events: { 'for await': 'TranscriptSegment', onProgress: 'TranscribeProgress' },
  },
  decodeImage: { of: ['heed'], options: texts.DecodeImageOptions },
  dispose: { of: ['Model', 'Session', 'Constraint'] },
} satisfies Record<string, Call>

/** All groups of options. */
export const groups = [texts, audio, inspecting, lab, loading, generating].flatMap(module =>
  Object.values(module).filter(one => typeof one === 'object' && 'name' in one && 'from' in one),
)
