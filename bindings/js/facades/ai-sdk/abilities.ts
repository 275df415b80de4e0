// Adapts a call's options to what the model's chat template supports; the rest becomes warnings.
import type { SharedV4Warning } from '@ai-sdk/provider'
import type { ChatInfo } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { Model } from '../../page/model.js'
import { effortIn } from '../reasoning.js'
import { type Call, unsupportedWarning } from './options.js'

/** A cache: each template is examined once, and only if necessary. */
const known = new WeakMap<object, Map<string, Promise<ChatInfo | undefined>>>()

function describe(model: Model, name: string): Promise<ChatInfo | undefined> {
  const ofModel = known.get(model.info) ?? new Map<string, Promise<ChatInfo | undefined>>()
  known.set(model.info, ofModel)
  // If a template cannot be read, the chat reports it.
  const info =
    ofModel.get(name) ??
    model.chatTemplate(name).then(
      template => template.info,
      () => undefined,
    )
  ofModel.set(name, info)
  return info
}

/** The call's options for this model, with additional warnings. */
export async function fit(
  { options, warnings, effort }: Call,
  model: Model,
): Promise<{ options: ChatOptions; warnings: SharedV4Warning[] }> {
  const { chatTemplates } = model.info
  const showsTools = options.toolChoice !== 'none' && options.tools!.length > 0
  const { template } = options
  const name =
    typeof template === 'object'
      ? template.jinja
      : (template ?? (showsTools && Object.hasOwn(chatTemplates, 'tool_use') ? 'tool_use' : 'default'))
  const source = Object.hasOwn(chatTemplates, name) ? chatTemplates[name]! : String(name)
  const info = (showsTools || effort) && source !== name ? await describe(model, name) : undefined
  const { level, doubt } = effort ? effortIn(source, info, effort) : {}
  const more = [
    showsTools && info?.supports.tools === false ? unsupportedWarning('tools', "The model's chat template ignores them.") : [],
    doubt ? { ...doubt, feature: `reasoning: ${effort}` } : [],
  ]
  return {
    options: {
      ...options,
      variables: level ? { reasoning_effort: level, ...options.variables } : options.variables,
    },
    warnings: [...warnings, ...more.flat()],
  }
}
