// Templates that files name: the texts are those of llama_chat_apply_template of llama.cpp 0.7.0.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'

const chats = [
  [['user', 'Q1 ']],
  [
    ['system', 'S'],
    ['user', 'Q1'],
  ],
  [
    ['user', ' Q1'],
    ['assistant', ' A1 '],
    ['user', 'Q2'],
  ],
  [
    ['system', 'S'],
    ['user', 'Q1'],
    ['assistant', 'A1'],
    ['user', 'Q2'],
    ['assistant', 'A2'],
  ],
].map(turns => turns.map(([role, content]) => ({ role, content })))

const expected = {
  'rwkv-world': [
    'User: Q1\n\nAssistant:',
    'System: S\n\nUser: Q1\n\nAssistant:',
    'User: Q1\n\nAssistant: A1\n\nUser: Q2\n\nAssistant:',
    'System: S\n\nUser: Q1\n\nAssistant: A1\n\nUser: Q2\n\nAssistant: A2\n\n',
  ],
}

for (const [name, texts] of Object.entries(expected))
  test(`a file that names ${name} has its template`, () => {
    const template = new ChatTemplate(name)
    texts.forEach((text, i) => {
      const addGenerationPrompt = chats[i].at(-1).role === 'user'
      assert.equal(promptText(template.render(chats[i], { addGenerationPrompt })), text)
    })
    assert.equal(template.info.supports.system, true)
    assert.deepEqual(template.info.stops, [])
    assert.match(template.source, /\{%/)
  })

test('another word is a template that writes it', () => {
  assert.equal(promptText(new ChatTemplate('toString').render(chats[0])), 'toString')
  assert.equal(promptText(new ChatTemplate('rwkv').render(chats[0])), 'rwkv')
})
