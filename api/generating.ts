// The options of generated texts and of chats. Each is described once: its kind, its default, its docstring, the engine's field,
// and how the commands and the other interfaces offer it.
import { group } from './define.js'
import { boolean, callback, count, integer, number, oneOf, signal, special, text } from './kinds.js'
import { ChangeOptions, ConstraintOptions, TokenizeOptions } from './texts.js'
import { AttentionSelection } from './inspecting.js'

export const GenerateAttention = group(
  'GenerateAttention',
  { from: [AttentionSelection] },
  {
    of: { kind: oneOf('decoder', 'cross'), byDefault: '`decoder`' },
  },
)

export const ContextShift = group(
  'ContextShift',
  {},
  {
    keep: {
      kind: count(0),
      doc: 'Number of tokens to keep from the beginning, such as a system prompt: less than the context length minus 1.',
      required: true,
    },
  },
)

const onReading = { kind: callback('(progress: PromptProgress) => void'), here: true } as const
const extension = (name: string) => `\`${name}\` of \`GenerateOptions\``

export const GenerateOptions = group(
  'GenerateOptions',
  { from: [TokenizeOptions, ConstraintOptions, ChangeOptions] },
  {
    maxTokens: {
      kind: special('tokenLimit', 'number'),
      doc: 'Maximum number of tokens to generate; Infinity for as many as the context has room for.',
      default: 256,
      engine: 'max_tokens',
      argument: { group: 'sampling', short: 'n', value: 'N', read: 'number' },
      aiSdk: 'maxOutputTokens',
      promptApi: true,
      slider: {
        label: 'Max tokens',
        hint: 'stop after this many tokens: words, or pieces of words',
        min: 8,
        max: 4096,
        step: 8,
        value: 400,
      },
    },
    temperature: {
      kind: number({ least: 0 }),
      doc: 'Randomness; 0 always chooses the most probable token.',
      default: 0.8,
      engine: 'sampling.temperature',
      argument: { group: 'sampling' },
      openai: { type: 'number', read: 'number(0, 2)', doc: 'From 0 to 2.' },
      aiSdk: 'temperature',
      slider: {
        label: 'Temperature',
        hint: 'how much is left to chance; 0: nothing, always the most probable token',
        max: 2,
        step: 0.05,
        drawn: 2,
      },
    },
    topK: {
      kind: count(0),
      doc: 'Choose among the k most probable tokens; 0 for all.',
      default: 40,
      engine: 'sampling.top_k',
      argument: { group: 'sampling' },
      openai: { type: 'number', read: 'topK', doc: extension('topK') },
      aiSdk: 'topK',
      slider: { label: 'Top-k', hint: 'choose among the k most probable tokens; 0 for all', max: 200, step: 1, drawn: 100 },
    },
    topP: {
      kind: number({ above: 0, most: 1 }),
      doc: 'Choose among the most probable tokens whose probabilities add up to this.',
      default: 0.95,
      engine: 'sampling.top_p',
      argument: { group: 'sampling' },
      openai: { type: 'number', read: 'topP', doc: 'From 0 to 1.' },
      aiSdk: 'topP',
      promptApi: true,
      slider: {
        label: 'Top-p',
        hint: 'choose among the fewest tokens that together have this probability',
        min: 0.05,
        step: 0.01,
        drawn: 1,
      },
    },
    minP: {
      kind: number({ least: 0, below: 1 }),
      doc: "Drop tokens less probable than this fraction of the most probable token's probability.",
      default: 0.05,
      engine: 'sampling.min_p',
      argument: { group: 'sampling' },
      openai: { type: 'number', read: 'number(0, 0.99)', doc: extension('minP') },
      aiSdk: { own: true },
      promptApi: true,
      slider: {
        label: 'Min-p',
        hint: 'drop tokens below this share of the highest probability',
        max: 0.95,
        step: 0.01,
        drawn: 0.5,
      },
    },
    repetitionPenalty: {
      kind: number({ above: 0 }),
      doc: 'Divides the scores of tokens that have occurred; 1 disables it.',
      default: 1,
      engine: 'sampling.repetition_penalty',
      argument: { group: 'sampling' },
      openai: { type: 'number', read: 'number(0.1, 10)', doc: extension('repetitionPenalty') },
      aiSdk: { own: true },
      promptApi: true,
      slider: {
        label: 'Repetition penalty',
        hint: 'how much what was written is avoided; 1: not at all',
        min: 1,
        max: 2,
        step: 0.01,
      },
    },
    frequencyPenalty: {
      kind: number(),
      doc: "Subtracted from a token's score for every occurrence.",
      default: 0,
      engine: 'sampling.frequency_penalty',
      argument: { group: 'sampling' },
      openai: {
        type: 'number',
        read: 'number(-2, 2)',
        doc: 'From -2 to 2; considers the last 64 tokens, the default of `penaltyWindow`.',
      },
      aiSdk: 'frequencyPenalty',
    },
    presencePenalty: {
      kind: number(),
      doc: "Subtracted from a token's score if it has occurred.",
      default: 0,
      engine: 'sampling.presence_penalty',
      argument: { group: 'sampling' },
      openai: {
        type: 'number',
        read: 'number(-2, 2)',
        doc: 'From -2 to 2; considers the last 64 tokens, the default of `penaltyWindow`.',
      },
      aiSdk: 'presencePenalty',
    },
    penaltyWindow: {
      kind: count(0),
      doc: 'Number of most recent tokens that the penalties consider.',
      default: 64,
      engine: 'sampling.penalty_window',
      argument: { group: 'sampling' },
      aiSdk: { own: true },
    },
    logitBias: {
      kind: special('logitBias', 'Readonly<Record<number, number>> | ReadonlyMap<number, number>', '[number, number][]'),
      doc: 'Added to the scores of tokens, by id; -Infinity forbids one.',
      engine: 'sampling.logit_bias',
      argument: { group: 'sampling', value: 'ID=BIAS', many: true, read: 'biases' },
      openai: { type: 'Record<string, number>', read: 'logitBias', doc: 'Maps token ids to numbers from -100 to 100.' },
      aiSdk: { own: 'Record<string, number>' },
    },
    seed: {
      kind: integer(0),
      doc: 'The same seed gives the same text on every machine. An integer from 0 to 2^53 - 1.',
      byDefault: 'random; the result reports it',
      engine: 'sampling.seed',
      always: true,
      argument: { group: 'sampling' },
      openai: { type: 'number', read: 'seed', doc: 'Any integer.' },
      aiSdk: 'seed',
      promptApi: true,
    },
    stop: {
      kind: special('stop', 'string | readonly string[]', '(string | number)[]'), // texts, and ids of tokens
      doc: 'Generation ends before the first occurrence of any of these texts.',
      engine: '',
      argument: { group: 'sampling', value: 'TEXT', many: true, read: 'texts' },
      openai: { type: 'string | string[]', read: 'stop' },
      aiSdk: 'stopSequences',
    },
    stopAtEnd: {
      kind: boolean,
      doc: "Stop at the model's own end-of-generation token.",
      default: true,
      engine: 'stop_at_end',
    },
    special: {
      kind: boolean,
      doc: 'Show control tokens as their text, so that stop strings also match them.',
      default: false,
      byDefault: ', which omits them',
      engine: 'special',
    },
    signal: {
      kind: signal,
      doc: 'Ends generation: the tokens so far are kept, and `finishReason` is `abort`. Nothing is thrown.',
      here: true,
    },
    onProgress: {
      ...onReading,
      doc: 'Called after each pass over the prompt; before the first token, `done` equals `total`.',
    },
    onUnmasked: {
      kind: callback('(step: UnmaskedStep) => void'),
      doc: 'Called after each pass of a model that writes by unmasking (`info.maskToken`), with the tokens that have replaced masks. The loop over the tokens gives a token as soon as no mask is left before it.',
      here: true,
    },
    topLogprobs: {
      kind: count(0),
      doc: 'Number of most probable tokens to report at each position.',
      default: 0,
      engine: 'top_logprobs',
      aiSdk: { own: true },
    },
    attention: {
      kind: special('recorded(generateAttention)', 'boolean | GenerateAttention', "Selection & { of?: 'decoder' | 'cross' }"),
      doc: 'Report with each token the attention of its prediction; `cross` needs a model with an encoder.',
      byDefault: 'false',
      engine: 'attention',
    },
    speculate: {
      kind: special('speculate', "'auto' | 'off'", 'boolean'),
      doc: 'Speculative decoding: guess tokens from the text so far, run them with the next one, and keep the correct ones. The text is identical, but faster where it repeats itself. `auto` guesses only where it pays, and never with `attention`.',
      default: 'auto',
      absent: 'true',
      engine: 'speculate',
      always: true,
      aiSdk: { own: true },
    },
    contextShift: {
      kind: special('kept(contextShift)', 'ContextShift', 'number'), // the number of tokens to keep
      doc: 'When the context is full: drop the older half of the tokens after the first `keep` and continue. The rest is processed again, so the text continues as if the rest were its prompt.',
      byDefault: 'end, with `finishReason` `context`',
      engine: 'context_shift',
      aiSdk: { own: '{ keep: number }' },
    },
    choiceProbabilities: {
      kind: boolean,
      doc: 'With `choices`: also report how probable each of them is (`choiceProbabilities` of the result), by which they are all scored once the text is written.',
      default: false,
      here: true,
    },
    constraint: {
      kind: special('constraint', 'Constraint', 'WireConstraint'),
      doc: 'A compiled constraint, in place of one of `ConstraintOptions`.',
      here: true,
    },
  },
)

export const AppendOptions = group(
  'AppendOptions',
  { from: [TokenizeOptions, ChangeOptions] },
  {
    onProgress: { ...onReading, doc: 'Called after each pass over the prompt.' },
    signal: { kind: signal, doc: 'Aborts the call: the promise rejects with an `AbortError`.', here: true },
  },
)

export const ReasoningBudget = group(
  'ReasoningBudget',
  {
    doc: 'How long a reply may reason. After `maxTokens`, the marker that ends the reasoning is written for the model, with `message` before it; then it answers. A character is not cut, and where a constraint has no room for the marker, the reasoning goes on.',
  },
  {
    maxTokens: { kind: count(0), doc: 'Most tokens of reasoning in a reply, without `message`.', required: true },
    message: {
      kind: text,
      doc: 'A text that ends reasoning which has been cut off, such as "Time is up: I will answer now."',
      byDefault: 'nothing',
    },
  },
)

export const ChatOptions = group(
  'ChatOptions',
  {
    from: [{ group: GenerateOptions, less: ['addSpecial', 'parseSpecial', 'special', 'stopAtEnd', 'maxTokens'] }],
    file: 'page/chat/chat-options.generated.ts',
  },
  {
    maxTokens: {
      kind: special('tokenLimit', 'number'),
      doc: 'Maximum number of tokens of each generation.',
      byDefault: 'Infinity, as many as the context has room for',
      absent: 'mostIndex',
      aiSdk: 'maxOutputTokens',
      promptApi: true,
    },
    tools: { kind: special('readTools', 'readonly Tool[]', 'KnownTool[]'), absent: '[]', aiSdk: { from: 'tools' } },
    toolChoice: {
      kind: special('toolChoice', "'auto' | 'none' | 'required' | { readonly name: string }"),
      doc:
        '- `auto`: the model may call the tools\n' +
        '- `none` hides the tools from the model\n' +
        "- `required`: the first reply consists of tool calls, after any reasoning, with arguments that match the tools' schemas\n" +
        '- `{ name }`: as `required`, but only this tool is called\n\n' +
        'Fails with `unsupported` for a schema that cannot constrain calls.',
      default: 'auto',
      aiSdk: { from: 'toolChoice' },
    },
    parallelToolCalls: {
      kind: boolean,
      doc: "Whether a reply may have several calls. False: at most one, which ends the reply and is constrained to its format and to the tool's `parameters`, as if all tools were `strict`.",
      default: true,
      aiSdk: { own: true },
    },
    maxSteps: {
      kind: count(1),
      doc: 'Maximum number of generations, with tools run in between.',
      default: 8,
      promptApi: true,
    },
    signal: {
      kind: signal,
      doc: "Ends the chat, with `finishReason: 'abort'`; nothing is thrown. A running chat template is stopped, too, except in `heed/in-thread`, where it ends when its budget is spent: some hundred thousand steps or, on slow machines, two seconds.",
    },
    think: {
      kind: special('thinking(reasoningBudget)', 'boolean | ReasoningBudget'),
      doc: 'Whether to reason before the answer, or for how long. A template without reasoning ignores it.',
      byDefault: "the template's own",
      aiSdk: { own: 'boolean | { maxTokens: number; message?: string }' },
      promptApi: true,
    },
    trim: {
      kind: boolean,
      doc: 'Whether to leave out the oldest turns of a conversation that does not fit into the context with room for `maxTokens`, or for a quarter of the context if that is less. More turns are left out than necessary, up to half of those that would fit, so that the next prompts begin like this one and are not read again. System messages, the last message of the user and everything after it stay; calls and their results stay or go together. `trimmedTurns` of the result says how many turns were left out.',
      default: false,
      byDefault: ', which ends with `context-overflow`',
      aiSdk: { own: true },
    },
    continueFinal: {
      kind: boolean,
      doc: 'Whether the model continues the last message, which must be its own. The result has the new part alone. Not with a constraint.',
      default: false,
      aiSdk: { own: true },
    },
    template: {
      kind: special('template', 'string | { readonly jinja: string }'),
      doc: "A template to use in place of the model's own: the name of another template in the file (`info.chatTemplates`), or Jinja. Text without `{{` or `{%` is a name; `{ jinja }` is always Jinja.",
      aiSdk: { own: 'string | { jinja: string }' },
      promptApi: true,
    },
    variables: {
      kind: special('variables', 'Readonly<Record<string, unknown>>', 'Record<string, unknown>'),
      doc: 'Additional variables of the template.',
      aiSdk: { own: 'Record<string, JSONValue>' },
      promptApi: true,
    },
    now: {
      kind: special('now', 'Date | string', 'Date'),
      doc: 'The current time, for templates that state the date.',
      byDefault: 'now',
      aiSdk: { own: 'string' },
      promptApi: true,
    },
    onToken: {
      kind: callback('(token: Token) => void'),
      doc: 'Called with each token as it is generated, including markup.',
    },
  },
)
