// Tokenizes the prompt of a reply, with as many turns of the conversation as fit.
import { promptText } from '../chat/prompt-text.js'
import { type PromptTemplate, readsArguments } from '../chat/prompts.js'
import type { ChatMessage, PromptPart, RenderOptions } from '../chat/types.js'
import type { ReplyPrompt, ReplyTask } from './asked.js'
import { leftOut } from './left-out.js'
import { controlMarkers } from './markers.js'
import { ChatMedia } from './media.js'
import type { Tokenize } from './tokenize.js'
import { trimmed } from './trim.js'

interface Tried {
  readonly messages: readonly ChatMessage[]
  readonly prompt: PromptPart[]
  readonly ids: number[]
  readonly addsBos: boolean
  readonly fits: boolean
}

/** Returns the prompt and its tokens. Throws the errors of templates and of tokenization. */
export async function replyPrompt(template: PromptTemplate, task: ReplyTask, tokenize: Tokenize): Promise<ReplyPrompt> {
  const options = { ...task.options, [readsArguments]: true }
  const media = task.media && new ChatMedia(task.media)
  const attempt = async (messages: readonly ChatMessage[]): Promise<Tried> => {
    const prompt = template.render(messages, options)
    const ids = await tokenize({ parts: media?.restored(prompt) ?? prompt }, false)
    // As in llama.cpp: if the vocabulary begins each text with a token, the conversation begins with it.
    const { bosId } = task
    const addsBos = bosId !== undefined && ids[0] !== bosId && (await tokenize('', true))[0] === bosId
    if (addsBos) ids.unshift(bosId)
    return { messages, prompt, ids, addsBos, fits: ids.length <= task.mostTokens }
  }
  const { messages, prompt, ids, addsBos, count } = task.trim
    ? await trimmed(task.messages, attempt)
    : { ...(await attempt(task.messages)), count: 0 }
  const [whole, before] = [promptText(prompt), textBefore(template, messages, options)]
  const stops = task.stops ? template.stops : []
  const lost = media?.leftOut(messages, prompt) ?? 0
  const kinds = task.media?.media.some(part => 'audio' in part) ? 'images or audio' : 'images'
  return {
    prompt,
    promptIds: ids,
    addsBos,
    trimmedTurns: count,
    generationPrompt: whole.startsWith(before) ? whole.slice(before.length) : '',
    stops,
    markers: await controlMarkers(new Set([...task.markers, ...stops]), tokenize),
    notices: [...leftOut(task.messages, prompt), ...(lost > 0 ? [`the template of the model leaves out ${kinds}: ${lost}`] : [])],
  }
}

/** The prompt without the model's turn. */
function textBefore(template: PromptTemplate, messages: readonly ChatMessage[], options: RenderOptions): string {
  const earlier = options.continueFinal ? messages.slice(0, -1) : messages
  return promptText(template.render(earlier, { ...options, continueFinal: false, addGenerationPrompt: false }))
}
