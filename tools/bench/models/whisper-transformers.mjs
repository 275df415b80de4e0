// Whisper models with random weights as transformers.js's pipeline reads them: a folder with two graphs and what describes them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf, writeParts } from './index.mjs'
import { whispers } from './whisper.mjs'
import { contextLength } from './whisper-file.mjs'
import { decoderFile, encoderFile } from './whisper-onnx.mjs'

/** Of the models that know English only. */
const ids = { end: 50256, start: 50257, noTimestamps: 50362 }

const configOf = ({ vocabulary, positions, width, heads, layers, bands }) => ({
  model_type: 'whisper',
  architectures: ['WhisperForConditionalGeneration'],
  is_encoder_decoder: true,
  vocab_size: vocabulary,
  num_mel_bins: bands,
  d_model: width,
  encoder_layers: layers,
  decoder_layers: layers,
  encoder_attention_heads: heads,
  decoder_attention_heads: heads,
  encoder_ffn_dim: 4 * width,
  decoder_ffn_dim: 4 * width,
  max_source_positions: positions,
  max_target_positions: contextLength,
  bos_token_id: ids.end,
  eos_token_id: ids.end,
  pad_token_id: ids.end,
  decoder_start_token_id: ids.start,
})

const generation = {
  bos_token_id: ids.end,
  eos_token_id: ids.end,
  pad_token_id: ids.end,
  decoder_start_token_id: ids.start,
  no_timestamps_token_id: ids.noTimestamps,
  is_multilingual: false,
  max_length: contextLength,
}

const preprocessorOf = ({ positions, bands }) => ({
  feature_extractor_type: 'WhisperFeatureExtractor',
  processor_class: 'WhisperProcessor',
  feature_size: bands,
  sampling_rate: 16_000,
  hop_length: 160,
  n_fft: 400,
  chunk_length: (2 * positions) / 100,
  n_samples: 2 * positions * 160,
  nb_max_frames: 2 * positions,
  padding_side: 'right',
  padding_value: 0,
  return_attention_mask: false,
})

/** Made-up words, and the tokens that are none but have names. It can only decode. */
function tokenizer() {
  const names = { [ids.end]: 'endoftext', [ids.start]: 'startoftranscript', [ids.noTimestamps]: 'notimestamps' }
  const added = Array.from({ length: ids.noTimestamps - ids.end + 1 }, (_, index) => ids.end + index)
  return {
    version: '1.0',
    added_tokens: added.map(id => ({
      id,
      content: `<|${names[id] ?? `mark ${id}`}|>`,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(Array.from({ length: ids.end }, (_, id) => [`\u0120w${id}`, id])),
      merges: [],
    },
  }
}

const tokenizerConfig = {
  tokenizer_class: 'WhisperTokenizer',
  bos_token: '<|endoftext|>',
  eos_token: '<|endoftext|>',
  unk_token: '<|endoftext|>',
  model_max_length: 1024,
}

const json = value => [JSON.stringify(value)]

/** Writes a model of `shape` into `folder`. */
export function writeWhisperFolder(folder, shape) {
  const files = {
    'config.json': () => json(configOf(shape)),
    'generation_config.json': () => json(generation),
    'preprocessor_config.json': () => json(preprocessorOf(shape)),
    'tokenizer.json': () => json(tokenizer()),
    'tokenizer_config.json': () => json(tokenizerConfig),
    'onnx/encoder_model_quantized.onnx': () => encoderFile(shape),
    'onnx/decoder_model_merged_quantized.onnx': () => decoderFile(shape),
  }
  for (const [name, parts] of Object.entries(files)) writeParts(join(folder, name), parts())
}

/** The path of a model's folder in the cache; writes it if it is missing. */
export function whisperFolder(shapeName) {
  const folder = pathOf(`whisper-${shapeName}`, 'q8-onnx')
  if (!existsSync(join(folder, 'onnx/decoder_model_merged_quantized.onnx'))) writeWhisperFolder(folder, whispers[shapeName])
  return folder
}
