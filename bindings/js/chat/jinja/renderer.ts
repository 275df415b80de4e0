// Runs a parsed template.
import { charged, type Budget } from './budget.js'
import { TemplateError } from './error.js'
import { globals } from './globals.js'
import { Host } from './host.js'
import type { Printed } from './printing.js'
import { Scope, textOf, type Statement } from './scope.js'
import type { Text } from './text.js'
import type { Value } from './values.js'

export interface RenderInput {
  readonly variables: ReadonlyMap<string, Value>
  readonly now: Date
  readonly budget: Budget
  readonly printed?: Printed
}

/** Returns the text of a template. Throws only TemplateErrors, with their line. */
export function renderTemplate(body: Statement, { variables, now, budget, printed = () => {} }: RenderInput): Text {
  const host = new Host(printed)
  const scope = new Scope(host)
  for (const [name, value] of [...globals(now), ...variables]) scope.set(name, value)
  try {
    return charged(budget, () => textOf(body, scope))
  } catch (error) {
    if (error instanceof TemplateError) throw error.at(host.line)
    const isStack = error instanceof RangeError && /stack|recursion/i.test(error.message)
    const reason = isStack ? 'the template nests too deeply: it was stopped' : String((error as Error)?.message)
    throw new TemplateError(isStack ? 'SecurityError' : 'ValueError', reason).at(host.line)
  }
}
