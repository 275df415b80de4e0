// dist/chat.js: heed/chat, which a model loads for `chatTemplate`.
export * from '../../chat/index.js'
/** @internal */
export { templateOf } from './model-template.js'
