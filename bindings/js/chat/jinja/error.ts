// What goes wrong in a chat template.
import { HeedError } from '../../errors.js'

/** Python's names of errors, as a template's author knows them, and `raise_exception`, the template's own refusal. */
export type TemplateErrorKind =
  | 'raise_exception' | 'TemplateSyntaxError' | 'TemplateRuntimeError' | 'UndefinedError' | 'TypeError' | 'ValueError'
  | 'KeyError' | 'IndexError' | 'ZeroDivisionError' | 'OverflowError' | 'SecurityError'

/**
 * A HeedError of code `template`. `kind` is the name that Python's Jinja has for it; of `raise_exception` the message is
 * the template's own. `line` is of the template, from 1.
 */
export class TemplateError extends HeedError {
  line?: number

  constructor(readonly kind: TemplateErrorKind, readonly reason: string) {
    super('template', reason)
  }

  /** The same, with the line in the message; a template's own refusal stays as it is worded. */
  at(line: number): this {
    if (this.line !== undefined) return this
    this.line = line
    if (this.kind !== 'raise_exception') this.message = `${this.reason} (line ${line} of the chat template)`
    return this
  }
}
