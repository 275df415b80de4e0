// heed/viewer: an element that shows what a model attends to.
export { defineViewer, HeedViewer } from './element.js'
export type { HeedViewerEvents } from './events.js'
export type { Head, LayerAttention } from './attention/layer-attention.js'
export type { PatchAttention } from './picture/patch-attention.js'
export type { GivenToken, Passage, PassageToken, WrittenToken } from './text/passage.js'
export type { Pace } from './text/replay.js'
