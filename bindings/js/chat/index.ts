// heed/chat: chat templates and what models answer, without a model.
export { ChatTemplate, promptText } from './template.js'
export type { ReplyParser } from './parser.js'
export { TemplateError, type TemplateErrorKind } from './jinja/index.js'
export { HeedError, type HeedErrorCode } from '../errors.js'
export type * from './types.js'
