// Jinja templates, evaluated as Python's Jinja does for transformers: an ImmutableSandboxedEnvironment with trim_blocks,
// lstrip_blocks, loop controls, `generation`, `tojson`, `raise_exception` and `strftime_now`. The output records which text comes
// from the template and which is data.
export { Budget } from './budget.js'
export { TemplateError, type TemplateErrorKind } from './error.js'
export { parse } from './parser.js'
export { renderTemplate } from './renderer.js'
export { Text } from './text.js'
export type { Statement } from './scope.js'
export { Dict, List, Spelled, type Value } from './values.js'
