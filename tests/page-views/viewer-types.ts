// Values that the types of heed/viewer must accept and values that they must reject; compiled by viewer.test.js, never run.
import { loadModel } from 'heed'
import { defineViewer, HeedViewer, tokenizePassage, tokensOf } from 'heed/viewer'
import type { Head, LayerAttention, Pace, Passage, PatchAttention } from 'heed/viewer'

defineViewer()
defineViewer('my-viewer')
const viewer = new HeedViewer()
document.body.append(viewer)
viewer.model = await loadModel()
const { text, seed } = await viewer.generate('Once', { maxTokens: 20, signal: AbortSignal.timeout(1000) })
await viewer.show(text + seed)
await viewer.showImage(new ImageData(2, 2))
const head: Head = viewer.head
viewer.head = head === 'mean' ? 0 : 'mean'
viewer.layer = 2
viewer.kind = 'cross'
viewer.token = undefined
const pace: Pace = viewer.pace
viewer.pace = pace === 'slow' ? 'step' : 'instant'
const attention: LayerAttention | PatchAttention | undefined = viewer.attention
const passage: Passage = viewer.passage
const image: Blob = await viewer.mapImage()
const drawing: string = viewer.mapDrawing() + viewer.mapNumbers()
viewer.addEventListener('tokenwrite', ({ detail }) => detail.text.length + passage.written.length + image.size + drawing.length)
viewer.addEventListener('writeend', ({ detail }) => detail.finishReason === 'stop')
await viewer.show(passage)
viewer.grow({ ...passage, written: [] })
viewer.compare({ passage: await tokenizePassage(viewer.model, { prompt: 'a', written: [] }), names: ['one', 'two'] })
viewer.compare(undefined)
viewer.addEventListener('turn', ({ detail }) => tokensOf(passage)[detail]?.text)
viewer.addEventListener('error', ({ error }) => [error, attention])
viewer.addEventListener('click', () => viewer.stop())
// @ts-expect-error unknown head
viewer.head = 'median'
// @ts-expect-error unknown pace
viewer.pace = 'fast'
// @ts-expect-error unknown option
viewer.generate('Once', { temprature: 1 })
// @ts-expect-error `passage` is read-only
viewer.passage = passage
