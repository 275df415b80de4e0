// What the manual's search finds first: for the words that readers type, which are not always those of the manual.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import MiniSearch from 'minisearch'
import { find } from '../../tools/docs/site/find.js'
import { otherWords } from '../../tools/docs/site/other-words.js'
import { searchOptions } from '../../tools/docs/site/search-options.js'
import { builtManual } from './site.mjs'

const { folder } = builtManual()
let loaded
const index = () => (loaded ??= MiniSearch.loadJSON(readFileSync(join(folder, 'search.json'), 'utf8'), searchOptions))
const found = text => find(index(), text).map(({ id }) => id)

/** What is typed, and an address that is among the first three. */
const wanted = {
  'context overflow': 'troubleshooting.html#context-overflow',
  'modelStore.prune': 'reference/modelStore.prune.html',
  'prefix cache': 'guide/parallel-calls.html#shared-prefixes',
  cancel: 'guide/chat.html#stop-an-answer',
  'how do I stop a generation': 'guide/generate.html#how-it-ends',
  'stop a generation': 'guide/generate.html#how-it-ends',
  'resume an answer': 'guide/chat.html#go-on-with-an-answer',
  streaming: 'guide/chat.html',
  'OpenAI streaming': 'apis/openai.html',
  'function calling': 'guide/tools.html',
  'tool error': 'guide/tools.html#when-a-tool-fails',
  sentiment: 'guide/structured-output.html#classify-texts',
  rag: 'guide/embeddings.html#answer-from-documents',
  'nearest sentence': 'guide/embeddings.html#search-by-meaning',
  'which head copies': 'lab/inside.html#what-heads-do',
  'ablate a head': 'lab/edits.html',
  'COOP headers': 'guide/threads.html',
  'share between tabs': 'guide/shared.html',
  SharedWorker: 'guide/shared.html',
  restart: 'guide/chat.html#keep-a-conversation',
  'save a conversation': 'guide/chat.html#keep-a-conversation',
  generateObject: 'apis/ai-sdk.html#a-typed-object',
  'induction head': 'lab/findings.html#induction-heads',
  concurrency: 'guide/parallel-calls.html',
  deterministic: 'guide/generate.html#how-it-is-sampled',
  quantization: 'formats.html',
  'fine tune': 'lab/adapters.html',
  'why is it slow': 'troubleshooting.html#when-there-is-no-error',
  speculative: 'guide/drafts.html',
  isLost: 'reference/properties.html#model',
}

test('what readers type leads to the section that they need', () => {
  const lost = Object.entries(wanted).filter(([text, address]) => !found(text).slice(0, 3).includes(address))
  assert.deepEqual(
    lost.map(([text]) => [text, ...found(text).slice(0, 3)]),
    [],
  )
})

test('a page of a call has its name as its title', () => {
  const [{ title }] = find(index(), 'modelStore.prune')
  assert.equal(title, 'modelStore.prune') // without the place where its heading may be broken
})

test('other words lead somewhere, and each is needed', () => {
  for (const [word, others] of Object.entries(otherWords)) {
    for (const other of others) assert.ok(found(other).length > 0, other)
    const before = index()
      .search(word)
      .map(({ id }) => id)
    assert.notDeepEqual(found(word).slice(0, 3), before.slice(0, 3), `${word} finds the same without`)
  }
})

test('a word that is being typed finds what it will find, and one that is in no page nothing', () => {
  assert.ok(found('sentim').includes(wanted.sentiment))
  assert.deepEqual(found('xylophone'), [])
  assert.deepEqual(found('xylophone streaming'), found('streaming'))
  assert.deepEqual(found(''), [])
  assert.ok(found('how to').length > 0)
})
