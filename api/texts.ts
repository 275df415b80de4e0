// The options of tokenization, of changes to the model, of calls that process texts, and of constraints.
import { group } from './define.js'
import { boolean, callback, count, integer, named, oneOf, signal, special, text } from './kinds.js'

export const aborting = {
  signal: { kind: signal, doc: 'Aborts the call: the promise rejects with an `AbortError`.', here: true },
} as const

/** The generated file of the groups that the types of texts and results refer to. */
const early = 'types/early-options.generated.ts'

export const ImageBound = group(
  'ImageBound',
  { doc: 'A limit on the number of tokens of an image.', file: early },
  {
    maxImageTokens: {
      kind: count(1),
      doc:
        'The maximum number of tokens for the image, including those that the model expects around it. The image uses as many of them as its family allows:\n' +
        '- families that give images their own size (Qwen2.5-VL, Qwen3-VL, Qwen 3.5, Gemma 4, Pixtral, Mistral 3, PaddleOCR-VL, GLM-4V): the image is shrunk further, but not below the fewest pixels of the family or of its file\n' +
        '- SmolVLM: its longer side becomes fewer tiles, at least one, beside the overview\n' +
        '- InternVL: a grid of fewer tiles, down to one tile with the whole image\n' +
        '- LFM2-VL: a grid of fewer tiles, down to the overview alone, which is then shrunk, to about 64 tokens\n' +
        '- Gemma 3, LLaVA: every image has the same number of tokens\n\n' +
        'A `maxImageTokens` below that is an error (`invalid-argument`) that says how many tokens the image needs.',
      byDefault: "the model's own bounds",
    },
  },
)

export const AcceptsOptions = group('AcceptsOptions', { file: early }, aborting)

export const TokenizeOptions = group(
  'TokenizeOptions',
  {},
  {
    addSpecial: {
      kind: boolean,
      doc: 'Add the tokens that the model expects around the text, such as beginning of sequence.',
      default: true,
      always: true,
    },
    parseSpecial: {
      kind: boolean,
      doc: 'Parse control tokens in the text, such as `<|im_start|>`, as tokens.',
      default: false,
      always: true,
    },
  },
)

export const DetokenizeOptions = group(
  'DetokenizeOptions',
  {},
  {
    special: { kind: boolean, doc: 'Show control tokens as their text.', default: false, byDefault: ', which omits them' },
    tidySpaces: {
      kind: boolean,
      doc: 'Clean up spaces before punctuation and at the start, if the vocabulary asks for it.',
      default: false,
    },
    bytes: {
      kind: boolean,
      doc: 'Return the bytes, in UTF-8, instead of a text, in which incomplete characters are U+FFFD.',
      default: false,
    },
  },
)

export const ChangeOptions = group(
  'ChangeOptions',
  {
    doc: 'Changes to the model for one text. The weights, and texts of other calls, are not affected. Fails with `invalid-argument` if changes make numbers overflow.',
  },
  {
    adapters: {
      kind: special('adapters', 'Readonly<Record<string, number>>', "WireChanges['adapters']"),
      doc: 'Loaded adapters by name, with the scale of each; 0 switches an adapter off.',
      byDefault: 'none',
    },
    edits: {
      kind: special('edits', 'readonly Edit[]', "WireChanges['edits']"),
      doc: 'Edits of states, heads and attention, applied in order.',
      byDefault: 'none',
    },
  },
)

export const ReadOptions = group(
  'ReadOptions',
  { doc: 'Options of all calls that process a text.', from: [TokenizeOptions, ChangeOptions] },
  aborting,
)

const schema = 'object | boolean | string'
const inPage = { here: true } as const // the page combines them (page/with-constraint.ts)

/** The options of JSON schemas: how texts are written, and how the schema is interpreted. */
export const schemaOptions = {
  whitespace: {
    ...inPage,
    kind: special('whitespace', "'any' | 'compact' | { readonly indent: number }"),
    doc: 'White space between the tokens of JSON: any, none, or as `JSON.stringify` indents.',
    byDefault: 'at most one byte in each gap',
    argument: { group: 'form', value: 'any|compact|N', read: 'whitespace', needs: 'jsonSchema' },
    openai: {
      type: "'any' | 'compact' | { indent: number }",
      read: 'whitespace',
      doc: 'white space between the parts of the JSON of `response_format`, as `whitespace` of `ConstraintOptions`',
    },
    aiSdk: { own: true },
  },
  maxWhitespace: {
    ...inPage,
    kind: integer(0, 65_535),
    doc: 'Maximum bytes of white space in one gap, if white space is allowed.',
    byDefault: "1, with `whitespace: 'any'` 64",
    aiSdk: { own: true },
  },
  order: {
    ...inPage,
    kind: oneOf('schema', 'any'),
    doc: "Whether keys come in the schema's order, or in any.",
    byDefault: "the schema's",
    aiSdk: { own: true },
  },
  formats: {
    ...inPage,
    kind: oneOf('known', 'strict', 'annotate'),
    doc: 'How to treat a `format` that no draft of JSON Schema defines: `known` treats it as an annotation, which `Constraint.ignored` lists; `strict` rejects it; `annotate` treats every format as an annotation.',
    byDefault: '`known`',
    aiSdk: { own: true },
  },
  escapes: {
    ...inPage,
    kind: oneOf('any', 'canonical'),
    doc: 'Escapes in strings that have no `pattern`, `format`, `const` or `enum`: `any` allows `\\/` and `\\u` of every character, `canonical` what `JSON.stringify` writes.',
    byDefault: 'any',
    aiSdk: { own: true },
  },
  closed: {
    ...inPage,
    kind: boolean,
    doc: 'Whether objects and arrays contain only what the schema describes: true reads absent `additionalProperties` and `items` as false, false reads them as true.',
    byDefault:
      'an object whose keys the schema lists (`properties`) has no others, unless the schema speaks of them (`additionalProperties`, `patternProperties`, `propertyNames`, `unevaluatedProperties`)',
    argument: { group: 'form', value: 'true|false', read: 'boolean', needs: 'jsonSchema' },
    openai: { type: 'boolean', read: 'boolean', doc: '`closed` of `ConstraintOptions`' },
    aiSdk: { own: true },
  },
  schemas: {
    ...inPage,
    kind: special('schemas', `Readonly<Record<string, ${schema}>>`, 'Readonly<Record<string, string>>'),
    doc: 'Other documents that `$ref` may name: schemas, or their JSON, by absolute URI. Nothing is fetched.',
  },
} as const

/** The notations of a constraint. */
export const notations = {
  jsonSchema: {
    ...inPage,
    kind: special("inNotation('schema', jsonSchema)", schema, 'WireConstraint'),
    doc: 'JSON that is valid under this schema: an object or a boolean, its JSON, or a Standard Schema that converts to one (Zod 4.2 and others). Keys come in the order of the schema. A Standard Schema describes its input: `parsed` has not been through its defaults and transforms.',
    argument: { group: 'form', value: 'FILE', read: 'file', alone: true },
    aiSdk: { from: 'responseFormat' },
  },
  regex: {
    ...inPage,
    kind: special("inNotation('regex', regex)", 'RegExp | string', 'WireConstraint'),
    doc: 'A text that this expression matches as a whole, with the meaning of the flag `u`: `.` is a character, however many UTF-16 units it has. Flags that change which texts match, such as `i`, are rejected, as is the syntax of the flag `v`.',
    argument: { group: 'form', value: 'REGEX', read: 'text', alone: true },
  },
  grammar: {
    ...inPage,
    kind: special("inNotation('gbnf', text)", 'string', 'WireConstraint'),
    doc: "A text of this grammar, in GBNF (llama.cpp's notation); its start is the rule `root`.",
    argument: { group: 'form', value: 'FILE (GBNF)', read: 'file', alone: true },
  },
  choices: { ...inPage, kind: special('choices', 'readonly string[]', 'WireConstraint'), doc: 'One of these texts.' },
} as const

export const ConstraintOptions = group(
  'ConstraintOptions',
  {
    doc: 'The constraint on a text: at most one of the first four, and for a schema, the layout of its texts. With tools that may be called, a reply of a chat is calls or a text under the constraint. Excludes `continueFinal` and `stopAtEnd: false`.',
  },
  { ...notations, ...schemaOptions },
)

export const CompileOptions = group('CompileOptions', { from: [ConstraintOptions] }, { signal: { kind: signal, here: true } })

const pooling = named('Pooling', 'mean', 'cls', 'last', 'none')

export const EmbedImagesOptions = group(
  'EmbedImagesOptions',
  {},
  {
    pooling: {
      kind: pooling,
      doc: 'How the vectors of tokens become one.',
      byDefault: 'the pooling that the file specifies; for images `cls`',
      engine: 'pooling',
      argument: { group: 'embedding' },
    },
    normalize: {
      kind: boolean,
      doc: 'Scale vectors to length 1, so that their dot product is their cosine similarity.',
      default: false,
      engine: 'normalized',
      argument: { group: 'embedding', alias: 'normalise' },
    },
    ...aborting,
  },
)

export const EmbedOptions = group(
  'EmbedOptions',
  { from: [EmbedImagesOptions, TokenizeOptions] },
  {
    dimensions: {
      kind: count(1),
      doc: 'Keep only the first `dimensions` numbers of each vector, before scaling: for models trained for it (Matryoshka, arXiv:2205.13147), such as EmbeddingGemma and Qwen3-Embedding.',
      byDefault: 'all',
      engine: 'dimensions',
      argument: { group: 'embedding' },
    },
    truncate: {
      kind: boolean,
      doc: 'Cut texts that are longer than the context, and keep the tokens that the model expects around them.',
      default: false,
      byDefault: ', such a text is an error',
    },
    onProgress: {
      kind: callback('(progress: EmbedProgress) => void'),
      doc: 'Called whenever texts have been embedded.',
      here: true,
    },
  },
)

export const RerankOptions = group('RerankOptions', {}, aborting)
export const DecodeImageOptions = group('DecodeImageOptions', {}, aborting)
export const ClassifyOptions = group(
  'ClassifyOptions',
  {},
  {
    top: { kind: count(1), doc: 'Number of classes or labels to return.', default: 5, here: true },
    prompt: {
      kind: text,
      doc: 'For texts: what the model is asked, in which `{text}` stands for the text and `{labels}` for all labels. A model with a chat template gets it as a message, another continues it with a label.',
      byDefault: 'a question for the label that describes the text best',
      here: true,
    },
    calibrate: {
      kind: boolean,
      doc: 'For texts: divide the probability of each label by its probability for the text `N/A`, so that labels which the model prefers whatever it reads count for less. One more text is read.',
      default: false,
      here: true,
    },
    ...aborting,
  },
)
