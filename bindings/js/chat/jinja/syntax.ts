// What a template is made of.
import type { Text } from './text.js'

export type Constant = null | boolean | bigint | number | Text

export interface Call { args: Expression[], named: [string, Expression][], spread?: Expression, spreadNamed?: Expression }

export type Expression =
  | { type: 'constant', value: Constant }
  | { type: 'name', name: string }
  | { type: 'list' | 'tuple', items: Expression[] }
  | { type: 'dict', entries: [Expression, Expression][] }
  | { type: 'unary', operator: string, of: Expression }
  | { type: 'binary', operator: string, left: Expression, right: Expression }
  | { type: 'concat', items: Expression[] }
  | { type: 'compare', first: Expression, rest: { operator: string, to: Expression }[] }
  | { type: 'choice', if: Expression, then: Expression, else?: Expression }
  | { type: 'attribute', of: Expression, name: string }
  | { type: 'item', of: Expression, key: Expression }
  | { type: 'slice', from?: Expression, to?: Expression, step?: Expression }
  | { type: 'call', of: Expression, call: Call }
  | { type: 'filter', name: string, of?: Expression, call: Call }
  | { type: 'test', name: string, of: Expression, call: Call }

/** What a value is given to: a name, an attribute of a namespace, or several of them. */
export type Target =
  | { type: 'name', name: string }
  | { type: 'namespace', name: string, attribute: string }
  | { type: 'tuple', items: Target[] }

export interface Parameter { name: string, default?: Expression }

export type Statement = { line: number } & (
  | { type: 'text', text: Text }
  | { type: 'output', value: Expression }
  | { type: 'if', if: Expression, then: Statement[], else: Statement[] }
  | {
    type: 'for', target: Target, over: Expression, where?: Expression, body: Statement[], else: Statement[], recursive: boolean
  }
  | { type: 'break' | 'continue' }
  | { type: 'set', target: Target, value: Expression }
  | { type: 'setBlock', target: Target, filter?: Expression, body: Statement[] }
  | { type: 'with', assignments: [Target, Expression][], body: Statement[] }
  | { type: 'filterBlock', filter: Expression, body: Statement[] }
  | { type: 'macro', name: string, parameters: Parameter[], body: Statement[] }
  | { type: 'callBlock', call: Expression, parameters: Parameter[], body: Statement[] }
  | { type: 'group', body: Statement[] }
)
