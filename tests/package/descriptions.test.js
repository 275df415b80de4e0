// The descriptions of options, which are checked at the calls, and the published types have the same options and defaults.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { describedCalls } from '../support/described_calls.mjs'

/** The type of each call's options. */
const types = {
  loadModel: 'LoadOptions',
  list: 'StoreOptions',
  clear: 'StoreOptions',
  estimate: 'StoreOptions',
  has: 'HubStoreOptions',
  delete: 'HubStoreOptions',
  download: 'DownloadOptions',
  import: 'ImportOptions',
  prune: 'PruneOptions',
  generate: 'GenerateOptions',
  chat: 'ChatOptions',
  compile: 'CompileOptions',
  append: 'AppendOptions',
  tokenize: 'TokenizeOptions',
  imageTokens: 'ImageBound',
  detokenize: 'DetokenizeOptions',
  logits: 'LogitsOptions',
  attention: 'AttentionOptions',
  attentionParts: 'AttentionPartsOptions',
  valueNorms: 'ValueNormsOptions',
  gates: 'GatesOptions',
  hidden: 'HiddenOptions',
  lens: 'LensOptions',
  direction: 'DirectionOptions',
  score: 'ScoreOptions',
  findHeads: 'FindHeadsOptions',
  attribute: 'AttributeOptions',
  loadAdapter: 'AdapterOptions',
  controlVector: 'ControlVectorOptions',
  embed: 'EmbedOptions',
  rerank: 'RerankOptions',
  embedImages: 'EmbedImagesOptions',
  classify: 'ClassifyOptions',
  imageAttention: 'ImageAttentionOptions',
  decodeImage: 'DecodeImageOptions',
}

/** The interfaces of declarations: what each extends, and the comment of each property. */
function interfacesOf(text) {
  const found = text.matchAll(/^export interface (\w+)(?: extends ([^{]+?))? \{\n(.*?)^\}/gms)
  return Object.fromEntries(
    [...found].map(([, name, parents = '', body]) => [
      name,
      {
        parents: [...parents.matchAll(/Omit<(\w+), ([^>]*)>|(\w+)/g)].map(([, omitting, names, plain]) => ({
          name: plain ?? omitting,
          omitted: [...(names?.matchAll(/'(\w+)'/g) ?? [])].map(([, one]) => one),
        })),
        own: new Map(
          [...body.matchAll(/(?:^ {4}\/\*\*((?:(?!\*\/).)*)\*\/\s*)?^ {4}(?:readonly )?(\w+)\??: /gms)].map(
            ([, doc = '', option]) => [option, doc],
          ),
        ),
      },
    ]),
  )
}

const declared = interfacesOf(
  ['types/index', 'types/images', 'types/text', 'types/lab', 'types/loading', 'types/store', 'page/chat/messages']
    .map(name => readFileSync(inRoot(`dist/types/${name}.d.ts`), 'utf8'))
    .join('\n'),
)

/** The options of a type, with their comments. */
function optionsOf(name) {
  const { parents, own } = declared[name]
  const inherited = parents.flatMap(parent => [...optionsOf(parent.name)].filter(([option]) => !parent.omitted.includes(option)))
  return new Map([...inherited, ...own])
}

test('each call has the options of its type, and no others', async () => {
  const calls = await describedCalls()
  assert.deepEqual(Object.keys(calls).sort(), Object.keys(types).sort())
  for (const [call, type] of Object.entries(types)) {
    assert.deepEqual(Object.keys(calls[call]).sort(), [...optionsOf(type).keys()].sort(), `${call}: ${type}`)
  }
})

test('the comments state the defaults that the calls use', async () => {
  const calls = await describedCalls()
  let compared = 0
  for (const [call, type] of Object.entries(types)) {
    for (const [option, comment] of optionsOf(type)) {
      const [, absent] = [calls[call][option]].flat()
      // Lists select everything if they are empty, some options are required, and a chat is limited by the context.
      if (['undefined', 'object', 'symbol'].includes(typeof absent) || `${call}.${option}` === 'chat.maxTokens') continue
      assert.equal(/Default: `?(\w+(?:\.\d+)?)/.exec(comment)?.[1], String(absent), `${call}: ${option}`)
      compared++
    }
  }
  assert.ok(compared > 40, `${compared}`)
})
