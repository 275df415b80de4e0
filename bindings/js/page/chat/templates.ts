// Parsed templates.
import { ChatTemplate } from '../../chat/template.js'
import type { ModelInfo } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'

/** A cache of parsed templates, shared by all models. */
const parsed = new Map<string, ChatTemplate>()

/**
 * @internal The template for a model's tokens. Throws `unsupported` if the model has none and none is given, and `template`.
 */
export function templateOf(info: ModelInfo, jinja: string | undefined): ChatTemplate {
  if (jinja === undefined) throw new HeedError('unsupported', 'chat: the model has no chat template; give a `template`')
  const tokens = { bosToken: info.bosToken?.text, eosToken: info.eosToken?.text }
  const key = JSON.stringify([jinja, tokens])
  const known = parsed.get(key) ?? new ChatTemplate(jinja, tokens)
  if (parsed.size > 8) parsed.clear()
  parsed.set(key, known)
  return known
}
