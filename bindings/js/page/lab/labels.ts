// Labels of texts: a model is asked for the label, and all labels are scored as its answers.
import type { ChatMessage } from '../../chat/types.js'
import type { Classification, GenerateOptions, GenerateResult, ModelInfo } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import type { ChatOptions } from '../chat/chat-options.generated.js'
import type { Options } from '../options.js'

type Answer = PromiseLike<Pick<GenerateResult, 'choiceProbabilities'>>

/** The part of a Model that classification uses. */
interface Asked {
  readonly info: ModelInfo
  chat(messages: readonly ChatMessage[], options: ChatOptions): Answer
  generate(prompt: string, options: GenerateOptions): Answer
}

/** Stands in for the text when the prior probabilities of the labels are measured. */
const noText = 'N/A'
const ofChat = 'Which of these describes the text best: {labels}? Answer with it alone.\n\nText: {text}'
const ofText = 'Text: {text}\nLabels: {labels}\nLabel:'

/** @internal The labels of each text, the most probable first. */
export async function classifyTexts(
  model: Asked,
  texts: readonly string[],
  labels: readonly string[],
  { prompt, calibrate, top, signal }: Options<'classify'>,
): Promise<Classification[][]> {
  if (!model.info.generates) throw new HeedError('unsupported', 'classify: texts are classified by models that generate')
  const isChat = 'default' in model.info.chatTemplates
  const asked = prompt ?? (isChat ? ofChat : ofText)
  const options = { choiceProbabilities: true, temperature: 0, signal }
  const weigh = async (text: string): Promise<number[]> => {
    const filled = asked.replace(/\{(text|labels)\}/g, (_, name) => (name === 'text' ? text : labels.join(', ')))
    const { choiceProbabilities: found } = isChat
      ? await model.chat([{ role: 'user', content: filled }], { ...options, choices: labels, think: false })
      : await model.generate(filled, { ...options, choices: /\s$/.test(filled) ? labels : labels.map(label => ` ${label}`) })
    if (signal?.aborted) throw HeedError.aborted(signal)
    if (!found) throw new HeedError('context-overflow', 'classify: the context has no room for a label')
    return found.map(({ probability }) => probability)
  }
  const prior = calibrate ? await weigh(noText) : undefined
  return Promise.all(
    texts.map(async text => {
      const weights = (await weigh(text)).map((weight, index) => weight / (prior?.[index] ?? 1))
      const total = weights.reduce((all, one) => all + one, 0)
      return labels
        .map((label, index) => ({ label, probability: weights[index]! / total }))
        .sort((a, b) => b.probability - a.probability)
        .slice(0, top)
    }),
  )
}
