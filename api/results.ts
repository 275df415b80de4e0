// The results that C++ makes. They have the fields of the public interface. Each is filled from the field of the structure with its
// name in snake case, or from an expression.
import type { Result } from './define.js'

export const results = {
  ModelInfo: {
    from: 'runtime::ModelInfo',
    // the page adds these fields; the tokens come from the vocabulary
    less: ['simd', 'memory64', 'embedsImages', 'acceptsImages', 'acceptsAudio', 'readsImages', 'bosToken', 'eosToken', 'maskToken'],
    fields: {
      decoderStart: 'from.generates && from.embeds ? std::optional(from.decoder_start) : std::nullopt',
      trainedContext: 'from.trained_context_length',
      mostMemoryBytes: 'from.memory_bytes + from.sequence_bytes',
    },
  },
  Memory: { from: 'engine::MemoryUse', fields: { contexts: 'contexts_of(from.contexts)' } },
  Timings: {
    from: 'runtime::Timings',
    fields: {
      draftedTokens: 'static_cast<double>(from.drafts().drafted)',
      acceptedDrafts: 'static_cast<double>(from.drafts().right)',
      draftsByPlace: 'places_of(from.draft_places)',
      prefillMs: 'from.prompt_seconds * 1000',
      decodeMs: 'from.generate_seconds * 1000',
      prefillTokensPerSecond: 'rate(from.prompt_tokens - from.reused_tokens, from.prompt_seconds)',
      decodeTokensPerSecond: 'rate(from.generated_tokens, from.generate_seconds)',
    },
  },
} as const satisfies Record<string, Result>
