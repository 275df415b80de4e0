// Building blocks of outlines of calls.
import type { WireConstraint, Outline } from '../../wire/constraint.js'
import type { Json } from '../types.js'

/** A tool, for constraints on its calls. */
export interface CalledTool {
  readonly name: string
  /** A JSON schema of an object: its arguments. */
  readonly parameters: { readonly [keyword: string]: Json | undefined }
  /** The known names and types of unrestricted arguments, for families that write arguments one by one. */
  readonly known?: CalledTool['parameters']
}

export const control = (text: string): Outline => ({ control: text })
export const optional = (outline: Outline): Outline => ({ oneOf: ['', outline] })
const regex = (text: string): Outline => ({ notation: 'regex', text })

/** Optional white space. */
export const gap = regex('[ \\n]?')
export const wideGap = regex('[ \\n\\t]{0,8}')

/** One or more of `one`, with `separator` between them. */
export const several = (one: Outline, separator: Outline = ''): Outline => [one, { many: [separator, one] }]

/** How the calls of a reply follow each other: `several`, or a `single` one that ends the reply. */
export type Following = typeof several
export const single: Following = one => one

/** A call of any of the tools. */
export const anyCall =
  (of: (tool: CalledTool) => Outline) =>
  (tools: readonly CalledTool[]): Outline => ({ oneOf: tools.map(of) })

/** Any text up to a marker, and the marker. */
export const upTo = (marker: string): Outline => ({ until: [{ marker }] })

/** A value of a schema, as JSON. Errors begin with `name`. */
export const json = (schema: Json, name: string): WireConstraint & { name: string } => ({
  notation: 'schema',
  text: JSON.stringify(schema),
  options: { escapes: 'canonical' },
  name,
})

export const nameOf = ({ name }: CalledTool) => `tool ${name}`
export const argumentsOf = (tool: CalledTool): Outline => json({ ...tool.parameters, type: 'object' }, nameOf(tool))

/** The calls after an opening marker; for families without markers, the whole text. */
export type WriteCalls = (tools: readonly CalledTool[], opener: string, follow: Following) => Outline
