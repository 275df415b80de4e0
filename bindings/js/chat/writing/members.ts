// Constraints for families that write arguments one by one instead of as a JSON object: each argument has its own schema.
import { HeedError } from '../../wire/errors.js'
import type { Outline } from '../../wire/constraint.js'
import { accepts, isKnown, isObject, Schemas } from '../kinds.js'
import type { Json } from '../types.js'
import { type CalledTool, json, nameOf } from './parts.js'

type Schema = { readonly [keyword: string]: Json | undefined }
/** A tool, its resolved parameters, and the enclosing schemas of a value: values of a recursive schema are written as JSON. */
interface ToolContext {
  readonly tool: CalledTool
  readonly schemas: Schemas
  readonly around: readonly unknown[]
}

/** How a family writes the values of arguments. */
export interface Writing {
  /** Any text, up to and including its end. */
  readonly text: Outline
  /** The text `text`, as the family writes it. */
  given(text: string): Outline
  /** Encloses a value that is not a text. Default: no enclosure. */
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
const ofObjects = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$schema',
  '$id',
  '$defs',
  'definitions',
  ...annotations,
]
const ofTexts = ['type', 'enum', 'const', ...annotations]

/** The first keyword that is not one of these. */
const beyond = (schema: Schema, known: readonly string[]) => Object.keys(schema).find(keyword => !known.includes(keyword))

function cannotHold(tool: CalledTool, keyword: string, where: string): never {
  throw new HeedError('unsupported', `${nameOf(tool)}: ${keyword} of ${where} cannot be held in this model's format of calls`)
}

/** The arguments of a tool. Throws `unsupported` for keywords that relate them to each other, or restrict texts. */
export function membersOf(tool: CalledTool, writing: Writing): Member[] {
  const given = tool.known ?? tool.parameters
  const context: ToolContext = { tool, schemas: new Schemas(given), around: [] }
  const flat = context.schemas.flat(given) as Schema
  const wrong = tool.known ? undefined : beyond(flat, ofObjects)
  return wrong === undefined ? membersIn(context, flat, writing) : cannotHold(tool, wrong, 'its parameters')
}

function membersIn(context: ToolContext, schema: Schema, writing: Writing): Member[] {
  const properties = isObject(schema.properties) ? (schema.properties as Schema) : {}
  const required = Array.isArray(schema.required) ? (schema.required as Json[]) : []
  const names = [...new Set([...Object.keys(properties), ...required.map(String)])]
  return names.map(key => {
    const ofKey = Object.hasOwn(properties, key) ? properties[key]! : (schema.additionalProperties ?? {})
    return { key, isRequired: required.includes(key), value: valueOf(context, key, ofKey, writing) }
  })
}

function valueOf(outer: ToolContext, key: string, schema: Json, writing: Writing): Outline {
  const { tool, schemas, around } = outer
  const context = { ...outer, around: [...around, schema] }
  const { text, given, other = value => value, literals } = writing
  const inJson = (of: Json) => other(json(withReferences(of, schemas.root), `${nameOf(tool)}: ${key}`))
  const isRefused = isObject(schema) && schema.enum !== undefined && !Array.isArray(schema.enum) // by the engine, which names it
  if (!isObject(schema) || isRefused || around.includes(schema) || around.length > 12) return inJson(schema)
  const kinds = schemas.kinds(schema)
  const { nullable, anyOf, oneOf, ...flat } = schemas.flat(schema) as Schema
  const types = isKnown(kinds) ? kinds.types : []
  if (!types.includes('string') && !literals) return inJson(schema)
  const either = (options: readonly Json[]): Outline => {
    const different = [...new Set(options.map(option => valueOf(context, key, option, writing)))]
    // If texts are written without quotes, any value is a text.
    return different.length === 1 ? different[0]! : !literals && different.includes(text) ? text : { oneOf: different }
  }
  if (nullable === true)
    return either([{ ...flat, ...(anyOf !== undefined && { anyOf }), ...(oneOf !== undefined && { oneOf }) }, { type: 'null' }])
  const options =
    Array.isArray(anyOf) && oneOf === undefined ? anyOf : Array.isArray(oneOf) && anyOf === undefined ? oneOf : undefined
  if (options) {
    const isAlone = beyond(flat, annotations) === undefined
    return either(isAlone ? options : options.map(option => ({ allOf: [flat, option as Json] })))
  }
  const choices = 'const' in flat ? [flat.const] : (flat.enum as Json[] | undefined)
  if (choices && beyond(flat, ofTexts) === undefined && types.length > 0) {
    const written = choices
      .filter(choice => accepts(kinds, choice))
      .map(choice =>
        typeof choice === 'string'
          ? given(choice)
          : literals && (choice === null || typeof choice === 'boolean')
            ? other(literals.words[`${choice}`])
            : inJson({ const: choice }),
      )
    return written.length > 0 ? { oneOf: written } : cannotHold(tool, 'enum', key)
  }
  if (types.length > 1 && types.includes('string')) return either(types.map(type => ({ ...flat, type })))
  if (types[0] === 'string') {
    const wrong = beyond(flat, ofTexts)
    return wrong === undefined ? text : cannotHold(tool, wrong, key)
  }
  const literal = literals && types.length === 1 && literalOf(context, key, flat, types[0], writing, literals)
  return literal ? other(literal) : inJson(schema)
}

/** A schema of a value, with the definitions that it may refer to. */
function withReferences(schema: Json, root: unknown): Json {
  if (!isObject(schema) || !isObject(root)) return schema
  const { $defs, definitions } = root as Schema
  return { ...(schema as Schema), ...($defs && { $defs }), ...(definitions && { definitions }) }
}

/** A value in the family's own notation; undefined if its schema can only be applied to JSON. */
function literalOf(
  context: ToolContext,
  key: string,
  schema: Schema,
  type: Json | undefined,
  writing: Writing,
  { words, object, array }: NonNullable<Writing['literals']>,
): Outline | undefined {
  const isOnly = (...keywords: string[]) => beyond(schema, ['type', ...keywords, ...annotations]) === undefined
  if (type === 'boolean' && isOnly()) return { oneOf: [words.true, words.false] }
  if (type === 'null' && isOnly()) return words.null
  if (type === 'array' && schema.items !== undefined && isOnly('items')) return array(valueOf(context, key, schema.items, writing))
  if (type === 'object' && isObject(schema.properties) && isOnly(...ofObjects)) return object(membersIn(context, schema, writing))
  return undefined
}

/** The members, in order; optional ones may be absent. `by`: the separator. */
export const inOrder = (members: readonly Member[], by: Outline, write: (member: Member) => Outline): Outline => ({
  inOrder: members.map(member => (member.isRequired ? write(member) : { optional: write(member) })),
  by,
})
