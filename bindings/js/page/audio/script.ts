// dist/audio.js: loaded at a model's first sound.
/** @internal */
export { samplesOf } from './samples.js'
/** @internal */
export { segmentOf } from './segments.js'
