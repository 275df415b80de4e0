// Arguments that a family writes one by one, and not as one JSON object: each is held to its own schema.
import { HeedError } from '../../wire/errors.js'
import type { Outline } from '../../wire/form.js'
import type { Json } from '../types.js'
import { type CalledTool, json, nameOf } from './parts.js'

type Schema = { readonly [keyword: string]: Json | undefined }

/** How a family writes the values of arguments. */
export interface Writing {
  /** Any text, and what ends it. */
  readonly text: Outline
  /** A given text. */
  given(text: string): Outline
  /** What stands around a value that is not a text. Default: nothing. */
  other?(value: Outline): Outline
  /** The family's own notation of other values. Default: JSON. */
  readonly literals?: {
    readonly words: Readonly<Record<'true' | 'false' | 'null', string>>
    object(members: readonly Member[]): Outline
    array(item: Outline): Outline
  }
}

export interface Member {
  readonly key: string
  readonly isRequired: boolean
  readonly value: Outline
}

const annotations = ['title', 'description', 'default', 'examples', 'deprecated', '$comment']
const ofObjects = ['type', 'properties', 'required', 'additionalProperties', '$schema', '$id', '$defs', 'definitions', ...annotations]
const ofTexts = ['type', 'enum', 'const', ...annotations]

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
/** The first keyword that is not one of these. */
const beyond = (schema: Schema, known: readonly string[]) => Object.keys(schema).find(keyword => !known.includes(keyword))

function cannotHold(tool: CalledTool, keyword: string, where: string): never {
  throw new HeedError('unsupported', `${nameOf(tool)}: ${keyword} of ${where} cannot be held in this model's format of calls`)
}

/** The arguments of a tool. Throws `unsupported` for keywords that relate them to each other, or restrict texts. */
export function membersOf(tool: CalledTool, writing: Writing): Member[] {
  if (tool.known) return membersIn(tool, tool.known, writing)
  const wrong = beyond(tool.parameters, ofObjects)
  return wrong === undefined ? membersIn(tool, tool.parameters, writing) : cannotHold(tool, wrong, 'its parameters')
}

function membersIn(tool: CalledTool, schema: Schema, writing: Writing): Member[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required as Json[] : []
  const names = [...new Set([...Object.keys(properties), ...required.map(String)])]
  return names.map(key => {
    const ofKey = Object.hasOwn(properties, key) ? properties[key]! : schema.additionalProperties ?? {}
    return { key, isRequired: required.includes(key), value: valueOf(tool, key, ofKey, writing) }
  })
}

function valueOf(tool: CalledTool, key: string, schema: Json, writing: Writing): Outline {
  const { text, given, other = value => value, literals } = writing
  if (isObject(schema) && (schema.enum === undefined || Array.isArray(schema.enum))) {  // the engine refuses others, by name
    const types = schema.type === undefined ? [] : [schema.type].flat() as Json[]
    const choices = 'const' in schema ? [schema.const] : schema.enum as Json[] | undefined
    if (types.includes('string') && types.length > 1 && literals && !choices) {
      return { oneOf: types.map(type => valueOf(tool, key, { ...schema, type }, writing)) }
    }
    if (types.includes('string') || (types.length === 0 && choices?.every(choice => typeof choice === 'string'))) {
      const wrong = beyond(schema, ofTexts)
      if (wrong !== undefined) cannotHold(tool, wrong, key)
      if (!choices) return text
      const texts = choices.filter(choice => typeof choice === 'string')
      return texts.length > 0 ? { oneOf: texts.map(given) } : cannotHold(tool, 'enum', key)
    }
    const literal = literals && types.length === 1 && literalOf(tool, key, schema, types[0], writing, literals)
    if (literal) return other(literal)
  }
  const { $defs, definitions } = tool.parameters
  return other(json(isObject(schema) ? { ...schema, ...$defs && { $defs }, ...definitions && { definitions } } : schema, `${nameOf(tool)}: ${key}`))
}

/** A value in the family's own notation; undefined for a schema that only JSON is held to. */
function literalOf(
  tool: CalledTool, key: string, schema: Schema, type: Json | undefined, writing: Writing, { words, object, array }: NonNullable<Writing['literals']>,
): Outline | undefined {
  const isOnly = (...keywords: string[]) => beyond(schema, ['type', ...keywords, ...annotations]) === undefined
  if (type === 'boolean' && isOnly()) return { oneOf: [words.true, words.false] }
  if (type === 'null' && isOnly()) return words.null
  if (type === 'array' && schema.items !== undefined && isOnly('items')) return array(valueOf(tool, key, schema.items, writing))
  if (type === 'object' && isObject(schema.properties) && isOnly(...ofObjects)) return object(membersIn(tool, schema, writing))
  return undefined
}

/** The members, in their order, those that are not required perhaps absent; `by` separates any two. */
export const inOrder = (members: readonly Member[], by: Outline, write: (member: Member) => Outline): Outline =>
  ({ inOrder: members.map(member => member.isRequired ? write(member) : { optional: write(member) }), by })
