// heed/chat: chat templates and reply parsing, without a model.
export { promptText } from './prompt-text.js'
export { ChatTemplate } from './template.js'
export type { ReplyParser } from './parser.js'
export { TemplateError, type TemplateErrorKind } from './jinja/index.js'
export { HeedError, type HeedErrorCode } from '../wire/errors.js'
export type * from './types.js'
