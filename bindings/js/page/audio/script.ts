// dist/audio.js: loaded at a model's first sound.
/** @internal */
export { transcribeLive } from './live.js'
/** @internal */
export { samplesOf } from './samples.js'
/** @internal */
export { segmentOf, shownHeads } from './segments.js'
