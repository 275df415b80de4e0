// Code that was written for Chrome's types (@types/dom-chromium-ai) with our classes in place of Chrome's; compiled by types.test.js, never
// run. Differences: attributes without a value are null, as specified, and undefined there.
import { createLanguageModel } from 'heed/prompt-api'
import { createTaskAPIs } from 'heed/task-apis'

type Nullable = 'expectedInputLanguages' | 'expectedContextLanguages' | 'outputLanguage'
const { Summarizer: S, Writer: W, Rewriter: R, Translator: T, LanguageDetector: D } = createTaskAPIs()

export async function create(
  summarizing: SummarizerCreateOptions,
  writing: WriterCreateOptions,
  rewriting: RewriterCreateOptions,
  translating: TranslatorCreateOptions,
  detecting: LanguageDetectorCreateOptions,
) {
  const summarizer: Omit<Summarizer, Nullable> = await S.create(summarizing)
  const writer: Omit<Writer, Nullable> = await W.create(writing)
  const rewriter: Omit<Rewriter, Nullable> = await R.create(rewriting)
  const translator: Translator = await T.create(translating)
  const detector: Omit<LanguageDetector, Nullable> = await D.create(detecting)
  const states: Availability[] = [
    await S.availability(summarizing),
    await W.availability(writing),
    await R.availability(rewriting),
    await T.availability(translating),
    await D.availability(detecting),
  ]
  return { summarizer, writer, rewriter, translator, detector, states }
}

export async function use({ signal }: AbortController) {
  const monitor: CreateMonitorCallback = target => {
    target.addEventListener('downloadprogress', ({ loaded, total }) => console.log(loaded / total))
    target.ondownloadprogress = ({ lengthComputable }) => console.log(lengthComputable)
  }
  const summarizer = await S.create({ type: 'key-points', length: 'short', monitor, signal })
  const summary: string = await summarizer.summarize('A long text.', { context: 'x', signal })
  const stream: ReadableStream<string> = summarizer.summarizeStreaming(summary)
  // @ts-expect-error the languages are required
  await T.create()
  // @ts-expect-error a word that there is not
  await W.create({ tone: 'angry' })
  const results: LanguageDetectionResult[] = await (await D.create()).detect('x')
  const session = await createLanguageModel().create({ monitor, signal })
  const answer: string = await session.prompt(results[0]?.detectedLanguage ?? 'x')
  return { stream, answer }
}
