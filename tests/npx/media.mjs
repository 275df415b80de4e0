// What chats with images and chats with sounds have in common.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { file, folder } from './support.mjs'

/**
 * Checks that files go with the first message, or with the one after a command, into saved conversations and out of them. `chat(input,
 * ...args)` runs a chat whose answers are “First answer.” and “Second answer.”; `paths` are two files for the option and command `name`, of
 * which `parts` are the content in messages; `many` is what the command calls them. Returns a function from arguments to the number of
 * tokens that a message with them takes.
 */
export function checkMediaOfChat({ chat, name, many, paths: [first, second], parts: [firstPart, secondPart] }) {
  const saved = (input, ...args) => {
    const { status, stdout, stderr } = chat(`${input}\n/save state.json\n`, ...args)
    return { status, stdout, stderr, messages: JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) }
  }
  const text = text => ({ type: 'text', text })
  const expected = [
    { role: 'user', content: [firstPart, text('One?')] },
    { role: 'assistant', content: 'First answer.' },
    { role: 'user', content: [secondPart, text('Two?')] },
    { role: 'assistant', content: 'Second answer.' },
  ]
  const whole = saved(`One?\n/${name} ${second}\nTwo?`, `--${name}`, first)
  assert.deepEqual([whole.status, whole.stdout], [0, 'First answer.\nSecond answer.\n'])
  assert.equal(whole.stderr, `${many} of the next message: 1\nsaved 4 messages\n`)
  assert.deepEqual(whole.messages, expected)
  assert.deepEqual(saved(`/${name} ${first}\n/clear\nOne?`).messages[0], { role: 'user', content: 'One?' })

  const resumed = file('resumed.json', JSON.stringify(expected.slice(0, 2)))
  assert.deepEqual(saved(`/${name} ${second}\nTwo?`, '--load', resumed).messages, expected)
  return (...args) => Number(/^(\d+) of/m.exec(chat('One?\n/tokens\n', ...args).stdout)[1])
}
