// A conversation: the model gets each message with all earlier ones, and its answer appears as it is written.
import type { ChatMessage } from 'heed'
import { byId, inWords, make } from './page/elements.ts'
import { openModel } from './page/open-model.ts'
import { prepare } from './prepare.ts'
import { options, source } from './settings.ts'
import './styles/base.css'
import './styles/chat.css'

const log = byId('log', HTMLDivElement)
const form = byId('form', HTMLFormElement)
const message = byId('message', HTMLTextAreaElement)
const send = byId('send', HTMLButtonElement)
const stop = byId('stop', HTMLButtonElement)

await prepare()
const model = await openModel(source, byId('status', HTMLParagraphElement))
const conversation: ChatMessage[] = []
send.disabled = false

form.addEventListener('submit', event => {
  event.preventDefault()
  if (send.disabled) return
  const content = message.value.trim()
  message.value = ''
  void answer(content)
})

// Enter sends the message. Shift+Enter starts a new line, and Enter in an input method only ends the composition.
message.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  form.requestSubmit()
})

/** Adds the user's message and the model's answer. If the answer fails, both are removed, so that the user can try again. */
async function answer(content: string): Promise<void> {
  const { length } = conversation
  conversation.push({ role: 'user', content })
  log.append(make('p', { className: 'said user' }, content))
  const reply = make('p', { className: 'said' })
  log.append(reply)
  const controller = new AbortController()
  stop.onclick = () => controller.abort()
  writing(true)
  try {
    const chat = model.chat(conversation, { ...options, signal: controller.signal })
    for await (const event of chat) {
      if (event.type === 'text') reply.append(event.delta)
    }
    conversation.push((await chat).message)
  } catch (error) {
    conversation.length = length
    reply.className = 'bad'
    reply.textContent = inWords(error)
  } finally {
    writing(false)
  }
}

function writing(on: boolean): void {
  send.disabled = on
  stop.hidden = !on
  log.ariaBusy = String(on)
  if (!on) message.focus()
}
