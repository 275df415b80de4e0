// The errors of chat templates.
import { HeedError } from '../../wire/errors.js'

/** Python's names of errors, which template authors know, and `raise_exception`, with which a template rejects messages. */
export type TemplateErrorKind =
  | 'raise_exception'
  | 'TemplateSyntaxError'
  | 'TemplateRuntimeError'
  | 'UndefinedError'
  | 'TypeError'
  | 'ValueError'
  | 'FilterArgumentError'
  | 'RuntimeError'
  | 'KeyError'
  | 'IndexError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'SecurityError'

/**
 * A HeedError with the code `template`. `kind` is the name of the error in Python's Jinja; for `raise_exception`, the message is
 * the template's own. `line` is the line of the template, from 1.
 */
export class TemplateError extends HeedError {
  line?: number

  constructor(
    readonly kind: TemplateErrorKind,
    readonly reason: string,
  ) {
    super('template', reason)
  }

  /** Recognizes errors from any script of the package, each of which has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof HeedError && value.code === 'template' && 'reason' in value
  }

  /** Sets the line and adds it to the message, unless the message is the template's own. */
  at(line: number): this {
    if (this.line !== undefined) return this
    this.line = line
    if (this.kind !== 'raise_exception') this.message = `${this.reason} (line ${line} of the chat template)`
    return this
  }
}
