// The public types: options, inputs and results.
export type * from './audio.js'
export type * from './early-options.js'
export type * from './images.js'
export type * from './lab.js'
export type * from './lab-options.js'
export type * from './lab-room.js'
export type * from './loading.js'
export type * from './options.js'
/** @deprecated The earlier name of `ConstraintOptions`. */
export type { ConstraintOptions as FormOptions } from './options.js'
export type * from './results.js'
export type * from './store.js'
export type * from './text.js'
