// dist/chat.js: heed/chat, which a model fetches at its first chat.
export * from '../../chat/index.js'
/** @internal */
export { converse } from './converse.js'
/** @internal */
export { templateOf } from './templates.js'
