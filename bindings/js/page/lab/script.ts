// dist/lab.js: loaded at a model's first call of the lab whose answer is completed in the page.
/** @internal */
export { choiceProbabilities } from './choices.js'
/** @internal */
export { classifyTexts } from './labels.js'
/** @internal */
export { direction, directionsOf } from './direction.js'
/** @internal */
export { findHeads } from './heads.js'
/** @internal */
export * from './results.js'
/** @internal */
export { attentionPartsOf } from './attention-parts.js'
export { collect, means } from './collecting/collect.js'
/** @internal */
export { compareModels } from './compare.js'
/** @internal */
export { probe } from './probe.js'
/** @internal */
export { weights } from './weights.js'
/** @internal */
export { features, featureEffect } from './features/features.js'
/** @internal */
export { loadFeatures } from './features/load.js'
/** @internal */
export { sweep } from './sweep.js'
