// dist/lab.js: what a model fetches at its first call of the lab whose answer the page completes.
/** @internal */
export { direction, directionsOf } from './direction.js'
/** @internal */
export { findHeads } from './heads.js'
/** @internal */
export { gatesOf, hiddenOf, lensOf, ranked, traceOf } from './results.js'
/** @internal */
export { partsOf } from './attention-parts.js'
