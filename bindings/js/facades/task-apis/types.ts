// TypeScript types of the task APIs: the dictionaries of their specifications, and our own additions.
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { OfferedName } from '../browser-ai/chat-options.js'
import type { Availability, CreateOptions, OverModelOptions } from '../browser-ai/types.js'

export type { Availability, CreateMonitor, DownloadProgress } from '../browser-ai/types.js'

export type SummarizerType = 'tldr' | 'teaser' | 'key-points' | 'headline'
export type SummarizerFormat = 'plain-text' | 'markdown'
export type SummarizerLength = 'short' | 'medium' | 'long'
export type PerformancePreference = 'auto' | 'speed' | 'capability'
export type WriterTone = 'formal' | 'neutral' | 'casual'
export type WriterFormat = 'plain-text' | 'markdown'
export type WriterLength = 'short' | 'medium' | 'long'
export type RewriterTone = 'as-is' | 'more-formal' | 'more-casual'
export type RewriterFormat = 'as-is' | 'plain-text' | 'markdown'
export type RewriterLength = 'as-is' | 'shorter' | 'longer'

/** Languages, as BCP 47 tags. The instructions name them. */
interface Languages {
  expectedInputLanguages?: readonly string[]
  expectedContextLanguages?: readonly string[]
  /** Default: the language of the text. */
  outputLanguage?: string
}

interface WithContext {
  /** Background that helps to understand all texts. The model is told not to follow instructions in it. */
  sharedContext?: string
}

interface CallOptions {
  signal?: AbortSignal
}

interface WithContextOptions extends CallOptions {
  /** Background that helps to understand this text, in addition to `sharedContext`. */
  context?: string
}

export interface SummarizerCreateCoreOptions extends Languages {
  /** Default: `key-points`. */
  type?: SummarizerType
  /** Default: `markdown`. */
  format?: SummarizerFormat
  /** Default: `short`: one sentence, 3 points, or a headline of 12 words. */
  length?: SummarizerLength
  /** Whether a model that can reason does so: `capability` for yes. Default: `auto`, as the option `chat` says. */
  preference?: PerformancePreference
}
export interface SummarizerCreateOptions extends SummarizerCreateCoreOptions, CreateOptions, WithContext {}
export type SummarizerSummarizeOptions = WithContextOptions

export interface WriterCreateCoreOptions extends Languages {
  /** Default: `neutral`. */
  tone?: WriterTone
  /** Default: `markdown`. */
  format?: WriterFormat
  /** Default: `short`, at most 100 words; the others have at most 300 and 500. */
  length?: WriterLength
}
export interface WriterCreateOptions extends WriterCreateCoreOptions, CreateOptions, WithContext {}
export type WriterWriteOptions = WithContextOptions

export interface RewriterCreateCoreOptions extends Languages {
  /** Default: `as-is`. */
  tone?: RewriterTone
  /** Default: `as-is`. */
  format?: RewriterFormat
  /** Default: `as-is`. */
  length?: RewriterLength
}
export interface RewriterCreateOptions extends RewriterCreateCoreOptions, CreateOptions, WithContext {}
export type RewriterRewriteOptions = WithContextOptions

export interface TranslatorCreateCoreOptions {
  sourceLanguage: string
  targetLanguage: string
}
export interface TranslatorCreateOptions extends TranslatorCreateCoreOptions, CreateOptions {}
export type TranslatorTranslateOptions = CallOptions

export interface LanguageDetectorCreateCoreOptions {
  /** Languages to look for besides the usual ones. */
  expectedInputLanguages?: readonly string[]
}
export interface LanguageDetectorCreateOptions extends LanguageDetectorCreateCoreOptions, CreateOptions {}
export type LanguageDetectorDetectOptions = CallOptions

export interface LanguageDetectionResult {
  /** A BCP 47 tag; `und` for any other language and for text in none. */
  detectedLanguage: string
  /** From 0 to 1. */
  confidence: number
}

/** Aborts running calls with an `AbortError`; later calls fail in the same way. */
interface Destroyable {
  destroy(): undefined
}

interface Measured<Options> {
  /** The number of tokens of the prompt that would be made of this text. */
  measureInputUsage(input: string, options?: Options): Promise<number>
  /** The maximum number of tokens of a prompt; the rest of the context is kept for the answer. */
  readonly inputQuota: number
}

interface WithLanguages {
  readonly expectedInputLanguages: readonly string[] | null
  readonly expectedContextLanguages: readonly string[] | null
  readonly outputLanguage: string | null
  readonly sharedContext: string
}

export interface Summarizer extends Destroyable, Measured<SummarizerSummarizeOptions>, WithLanguages {
  /** A summary of the text. Fails with a `DOMException`, and so do the methods of the other classes. */
  summarize(input: string, options?: SummarizerSummarizeOptions): Promise<string>
  summarizeStreaming(input: string, options?: SummarizerSummarizeOptions): ReadableStream<string>
  readonly type: SummarizerType
  readonly format: SummarizerFormat
  readonly length: SummarizerLength
  readonly preference: PerformancePreference
}

export interface Writer extends Destroyable, Measured<WriterWriteOptions>, WithLanguages {
  /** Writes a text; the input is its instructions. */
  write(input: string, options?: WriterWriteOptions): Promise<string>
  writeStreaming(input: string, options?: WriterWriteOptions): ReadableStream<string>
  readonly tone: WriterTone
  readonly format: WriterFormat
  readonly length: WriterLength
}

export interface Rewriter extends Destroyable, Measured<RewriterRewriteOptions>, WithLanguages {
  /** The text in other words. */
  rewrite(input: string, options?: RewriterRewriteOptions): Promise<string>
  rewriteStreaming(input: string, options?: RewriterRewriteOptions): ReadableStream<string>
  readonly tone: RewriterTone
  readonly format: RewriterFormat
  readonly length: RewriterLength
}

export interface Translator extends Destroyable, Measured<TranslatorTranslateOptions> {
  /** The text in the target language; unchanged if there is nothing to translate. */
  translate(input: string, options?: TranslatorTranslateOptions): Promise<string>
  translateStreaming(input: string, options?: TranslatorTranslateOptions): ReadableStream<string>
  readonly sourceLanguage: string
  readonly targetLanguage: string
}

export interface LanguageDetector extends Destroyable, Measured<LanguageDetectorDetectOptions> {
  /** The languages that the text may be in, the most probable first; the last result is always `und`. */
  detect(input: string, options?: LanguageDetectorDetectOptions): Promise<LanguageDetectionResult[]>
  readonly expectedInputLanguages: readonly string[] | null
}

interface Constructor<Task, CoreOptions, Options> {
  readonly prototype: Task
  /** Whether an object can be created: `downloadable` until the first one has loaded the model. */
  availability(options?: CoreOptions): Promise<Availability>
  create(options?: Options): Promise<Task>
}

export type SummarizerConstructor = Constructor<Summarizer, SummarizerCreateCoreOptions, SummarizerCreateOptions>
export type WriterConstructor = Constructor<Writer, WriterCreateCoreOptions, WriterCreateOptions>
export type RewriterConstructor = Constructor<Rewriter, RewriterCreateCoreOptions, RewriterCreateOptions>
export interface TranslatorConstructor {
  readonly prototype: Translator
  availability(options: TranslatorCreateCoreOptions): Promise<Availability>
  create(options: TranslatorCreateOptions): Promise<Translator>
}
export type LanguageDetectorConstructor = Constructor<
  LanguageDetector,
  LanguageDetectorCreateCoreOptions,
  LanguageDetectorCreateOptions
>

/** The five classes, which share one model. */
export interface TaskAPIs {
  readonly Summarizer: SummarizerConstructor
  readonly Writer: WriterConstructor
  readonly Rewriter: RewriterConstructor
  readonly Translator: TranslatorConstructor
  readonly LanguageDetector: LanguageDetectorConstructor
}

/** Options for all answers, in addition to those of these APIs. */
export type TaskChatOptions = Pick<ChatOptions, OfferedName | 'temperature' | 'topK'>

/** How the first `create` loads the model; includes the options of `loadModel`. */
export interface TaskOptions extends OverModelOptions {
  /** Options of every answer. Default: no reasoning, and a `temperature` for each task, 0 for translations. */
  chat?: TaskChatOptions
}

export interface InstallOptions extends TaskOptions {
  /** Whether the given model is used even for options that the browser's own classes are available for. Default: false. */
  replace?: boolean
}
