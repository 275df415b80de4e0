// What a model's chat template can do of what a call asks: the rest becomes warnings.
import type { SharedV4Warning } from '@ai-sdk/provider'
import type { ChatOptions } from '../chat/messages.js'
import type { ChatInfo } from '../chat/types.js'
import type { Model } from '../model.js'
import { type Call, unsupportedWarning } from './options.js'

/** Templates are looked at once, and only where somebody asks. */
const known = new WeakMap<object, Map<string, Promise<ChatInfo | undefined>>>()

function describe(model: Model, name: string): Promise<ChatInfo | undefined> {
  const ofModel = known.get(model.info) ?? new Map<string, Promise<ChatInfo | undefined>>()
  known.set(model.info, ofModel)
  // A template that cannot be read is for the chat to tell of.
  const info = ofModel.get(name) ?? model.chatTemplate(name).then(template => template.info, () => undefined)
  ofModel.set(name, info)
  return info
}

/** Efforts as templates know them (`reasoning_effort`), for those of the SDK that they do not. */
const nearest: Record<string, string> = { minimal: 'low', xhigh: 'high', max: 'high' }

/** The call's options for this model, and more warnings. */
export async function fit({ options, warnings, effort }: Call, model: Model): Promise<{ options: ChatOptions, warnings: SharedV4Warning[] }> {
  const { chatTemplates, contextLength } = model.info
  const told = options.toolChoice === 'auto' && options.tools!.length > 0
  const name = options.template ?? (told && Object.hasOwn(chatTemplates, 'tool_use') ? 'tool_use' : 'default')
  const source = Object.hasOwn(chatTemplates, name) ? chatTemplates[name]! : options.template
  const fitted: ChatOptions = { ...options, maxTokens: options.maxTokens ?? contextLength }
  const more: SharedV4Warning[] = []
  const info = (told || effort) && Object.hasOwn(chatTemplates, name) ? await describe(model, name) : undefined
  if (told && info && !info.supports.tools) more.push(unsupportedWarning('tools', "The model's chat template does not show them."))
  if (effort && effort !== 'none' && source?.includes('reasoning_effort')) {
    const level = nearest[effort] ?? effort
    fitted.variables = { reasoning_effort: level, ...options.variables }
    if (level !== effort) more.push({ type: 'compatibility', feature: `reasoning: ${effort}`, details: `It is ${level} to the template.` })
  } else if (effort && info && !info.supports.think) {
    more.push(unsupportedWarning(`reasoning: ${effort}`, "The model's chat template cannot turn it on or off."))
  } else if (effort && effort !== 'none') {
    more.push({ type: 'compatibility', feature: `reasoning: ${effort}`, details: 'The template knows on and off; it is on.' })
  }
  return { options: fitted, warnings: [...warnings, ...more] }
}
