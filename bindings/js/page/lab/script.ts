// dist/lab.js: what a model fetches for the calls of the lab that compute in the page.
/** @internal */
export { directionOf, directionsOf } from './direction.js'
/** @internal */
export { findHeads } from './heads.js'
