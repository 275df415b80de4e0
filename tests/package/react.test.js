// heed/react on a server: it renders, and loads nothing.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import * as hooks from 'heed/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const html = ({ useModel, useChat, useCompletion, useEmbedding }, source) =>
  renderToString(
    createElement(function Page() {
      const { model, status } = useModel(source)
      const { messages } = useChat(model, { messages: [{ role: 'system', content: 'Be brief.' }] })
      const completion = useCompletion(model)
      const embedding = useEmbedding(model, ['a'])
      return [status, messages[0].content, completion.status, embedding.status].join(' ')
    }),
  )

test('a server renders the hooks before any model is loaded, as a module and with require', t => {
  const started = t.mock.method(Worker.prototype, 'postMessage')
  for (const exports of [hooks, createRequire(import.meta.url)('heed/react')]) {
    assert.equal(html(exports, '/model.gguf'), 'loading Be brief. idle idle')
    assert.equal(html(exports, null), 'idle Be brief. idle idle')
  }
  assert.equal(started.mock.callCount(), 0)
})
