// Dictionaries in the formats of SAELens, Gemma Scope and circuit-tracer. Files may be hostile, or differ from what their names say: what a
// dictionary needs is checked against the model and against itself.
import { HeedError } from '../../../wire/errors.js'
import { isObject } from '../../readers.js'
import { damaged, type FileTensor } from '../formats/tensor.js'
import { Dictionary, type Normalization, type Parts } from './dictionary.js'
import type { Matrix } from './products.js'

export type Tensors = ReadonlyMap<string, FileTensor>

/** Properties of a dictionary that the caller states, in place of those in its files. */
export interface Told {
  hook?: string
  hookOut?: string
  normScale?: number
}

const unsupported = (file: string, message: string) => new HeedError('unsupported', `${file}: ${message}`)

/** The tensors of a file, whose shapes and values are checked as they are taken. */
class Shelf {
  constructor(
    readonly file: string,
    readonly tensors: Tensors,
  ) {}
  has(name: string): boolean {
    return this.tensors.has(name)
  }
  shape(name: string): readonly [number, number] {
    const { shape } = this.#find(name)
    if (shape.length !== 2 || shape.includes(0)) throw damaged(this.file, `${name} is no matrix`)
    return shape as [number, number]
  }
  take(name: string, ...shape: number[]): Float32Array {
    const found = this.#find(name)
    if (found.shape.length !== shape.length || shape.some((length, axis) => length !== found.shape[axis]))
      throw damaged(this.file, `${name} has the shape [${found.shape.join(', ')}], not [${shape.join(', ')}]`)
    if (!found.data.every(Number.isFinite)) throw damaged(this.file, `${name} has numbers that are not finite`)
    return found.data
  }
  #find(name: string): FileTensor {
    const found = this.tensors.get(name)
    if (!found) throw damaged(this.file, `has no tensor ${name}`)
    return found
  }
}

type Common = Pick<Parts, 'width' | 'features' | 'widthOut' | 'encoder' | 'decoder' | 'decoderBias'>

/** The tensors that most formats have; the arguments are the names of W_enc, W_dec and b_dec. */
function common(shelf: Shelf, encoder: string, decoder: string, decoderBias: string): Common {
  const [width, features] = shelf.shape(encoder)
  const [, widthOut] = shelf.shape(decoder)
  return {
    width,
    features,
    widthOut,
    encoder: { values: shelf.take(encoder, width, features), columns: features },
    decoder: shelf.take(decoder, features, widthOut),
    decoderBias: shelf.take(decoderBias, widthOut),
  }
}

const settled = { normalization: 'none' as Normalization }

const skipOf = (shelf: Shelf, width: number, widthOut: number): { skip: Matrix } => ({
  skip: { values: shelf.take('W_skip', widthOut, width), columns: widthOut, isTransposed: true },
})

/** Gemma Scope 1, whose files do not name their hooks (arXiv:2408.05147). */
export function scope1(file: string, tensors: Tensors, { hook, hookOut }: Told): Dictionary {
  const shelf = new Shelf(file, tensors)
  if (hook === undefined) throw unsupported(file, 'does not say its hook: give it as `hook`')
  const parts = common(shelf, 'W_enc', 'W_dec', 'b_dec')
  return new Dictionary({
    ...parts,
    ...settled,
    kind: 'jumprelu',
    point: hook,
    pointOut: hookOut ?? hook,
    isTranscoder: hookOut !== undefined,
    bias: shelf.take('b_enc', parts.features),
    threshold: shelf.take('threshold', parts.features),
    subtractsBias: false,
  })
}

/** Gemma Scope 2. */
export function scope2(file: string, config: Record<string, unknown>, tensors: Tensors, told: Told): Dictionary {
  const shelf = new Shelf(file, tensors)
  const { architecture, type } = config
  if (architecture !== 'jump_relu') throw unsupported(file, `has the architecture ${String(architecture)}`)
  if (type !== 'sae' && type !== 'transcoder') throw unsupported(file, `is of the type ${String(type)}`)
  const parts = common(shelf, 'w_enc', 'w_dec', 'b_dec')
  const hook = told.hook ?? textOf(config.hf_hook_point_in) ?? missing(file, 'hf_hook_point_in')
  const hookOut = told.hookOut ?? textOf(config.hf_hook_point_out) ?? hook
  checkWidth(file, 'width', config.width, parts.features)
  return new Dictionary({
    ...parts,
    ...settled,
    kind: 'jumprelu',
    point: hook,
    pointOut: type === 'sae' ? hook : hookOut,
    isTranscoder: type === 'transcoder',
    bias: shelf.take('b_enc', parts.features),
    threshold: shelf.take('threshold', parts.features),
    subtractsBias: false,
    ...(config.affine_connection === true && {
      skip: { values: shelf.take('affine_skip_connection', parts.width, parts.widthOut), columns: parts.widthOut },
    }),
  })
}

/** circuit-tracer, whose encoders have a row for each feature. */
export function tracer(file: string, config: Record<string, unknown>, layer: number, tensors: Tensors, told: Told): Dictionary {
  const shelf = new Shelf(file, tensors)
  if (config.model_kind !== 'transcoder_set') throw unsupported(file, `is of the kind ${String(config.model_kind)}`)
  const [features, width] = shelf.shape('W_enc')
  const [, widthOut] = shelf.shape('W_dec')
  const { activation } = config
  const hook = (name: string) => `blocks.${layer}.${textOf(config[name]) ?? missing(file, name)}`
  if (activation !== undefined && activation !== 'relu' && activation !== 'topk')
    throw unsupported(file, `has the activation ${String(activation)}`)
  return new Dictionary({
    ...settled,
    kind: activation === 'relu' ? 'standard' : activation === 'topk' ? 'topk' : 'jumprelu',
    point: told.hook ?? hook('feature_input_hook'),
    pointOut: told.hookOut ?? hook('feature_output_hook'),
    isTranscoder: true,
    width,
    features,
    widthOut,
    encoder: { values: shelf.take('W_enc', features, width), columns: features, isTransposed: true },
    decoder: shelf.take('W_dec', features, widthOut),
    bias: shelf.take('b_enc', features),
    decoderBias: shelf.take('b_dec', widthOut),
    subtractsBias: false,
    ...(activation === undefined && { threshold: shelf.take('activation_function.threshold', features), isRaw: true }),
    ...(activation === 'topk' && { k: kOf(file, config.k, features) }),
    ...(shelf.has('W_skip') && skipOf(shelf, width, widthOut)),
  })
}

const kinds: Readonly<Record<string, { kind: Parts['kind']; isTranscoder: boolean; skips?: boolean }>> = {
  standard: { kind: 'standard', isTranscoder: false },
  gated: { kind: 'gated', isTranscoder: false },
  jumprelu: { kind: 'jumprelu', isTranscoder: false },
  topk: { kind: 'topk', isTranscoder: false },
  transcoder: { kind: 'standard', isTranscoder: true },
  skip_transcoder: { kind: 'standard', isTranscoder: true, skips: true },
  jumprelu_transcoder: { kind: 'jumprelu', isTranscoder: true },
}

/**
 * SAELens. Files from version 6 on have `architecture`, and the hooks in `metadata`; earlier ones have all settings at the top
 * level.
 */
export function saelens(file: string, config: Record<string, unknown>, tensors: Tensors, told: Told): Dictionary {
  const shelf = new Shelf(file, tensors)
  const metadata = isObject(config.metadata) ? config.metadata : {}
  const said = (name: string) => metadata[name] ?? config[name]
  const isOldTopk = config.activation_fn_str === 'topk'
  const architecture = isOldTopk ? 'topk' : (textOf(config.architecture) ?? 'standard')
  if (!Object.hasOwn(kinds, architecture)) throw unsupported(file, `has the architecture ${architecture}`)
  if (config.activation_fn_str !== undefined && !isOldTopk && config.activation_fn_str !== 'relu')
    throw unsupported(file, `has the activation function ${String(config.activation_fn_str)}`)
  const { kind, isTranscoder, skips } = kinds[architecture]!
  const hook = told.hook ?? textOf(said('hook_name')) ?? textOf(said('hook_point')) ?? missing(file, 'hook_name')
  const hookOut = told.hookOut ?? textOf(said('hook_name_out'))
  if (isTranscoder && hookOut === undefined) throw damaged(file, 'has no hook_name_out')
  if ((said('hook_head_index') ?? said('hook_point_head_index')) != null)
    throw unsupported(file, 'reads a single head (hook_head_index)')
  const subtractsBias = config.apply_b_dec_to_input ?? !isTranscoder
  if (isTranscoder && subtractsBias) throw unsupported(file, 'is a transcoder with apply_b_dec_to_input')
  const parts = common(shelf, 'W_enc', 'W_dec', 'b_dec')
  const { width, features, widthOut } = parts
  checkWidth(file, 'd_in', config.d_in, width)
  checkWidth(file, 'd_sae', config.d_sae, features)
  if (!isTranscoder && widthOut !== width) throw damaged(file, `W_enc is for ${width} numbers, and W_dec for ${widthOut}`)
  if (shelf.has('scaling_factor') && shelf.take('scaling_factor', features).some(factor => factor !== 1))
    throw unsupported(file, 'has a scaling_factor that is not 1')
  const scale = told.normScale ?? 1
  const scaled = (values: Float32Array, factor: number) => (factor === 1 ? values : values.map(value => value * factor))
  const kwargs = isObject(config.activation_fn_kwargs) ? config.activation_fn_kwargs : {}
  return new Dictionary({
    ...parts,
    encoder: { ...parts.encoder, values: scaled(parts.encoder.values, scale) },
    decoder: scaled(parts.decoder, 1 / scale),
    decoderBias: scaled(parts.decoderBias, 1 / scale),
    kind,
    point: hook,
    pointOut: hookOut ?? hook,
    isTranscoder,
    subtractsBias: Boolean(subtractsBias),
    normalization: normalizationOf(file, config.normalize_activations),
    bias: shelf.take(kind === 'gated' ? 'b_gate' : 'b_enc', features),
    ...(kind === 'gated' && { gate: { scale: shelf.take('r_mag', features), bias: shelf.take('b_mag', features) } }),
    ...(kind === 'jumprelu' && { threshold: shelf.take('threshold', features) }),
    ...(kind === 'topk' && {
      k: kOf(file, config.k ?? kwargs.k, features),
      rescales: config.rescale_acts_by_decoder_norm === true,
    }),
    ...(skips && skipOf(shelf, width, widthOut)),
  })
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function missing(file: string, name: string): never {
  throw damaged(file, `does not say its hook (${name}): give it as \`hook\``)
}

function checkWidth(file: string, name: string, said: unknown, found: number): void {
  if (said !== undefined && said !== found)
    throw damaged(file, `says that ${name} is ${String(said)}, but its tensors have ${found}`)
}

function kOf(file: string, k: unknown, features: number): number {
  if (Number.isInteger(k) && (k as number) >= 1 && (k as number) <= features) return k as number
  throw damaged(file, `has k ${String(k)}, which must be from 1 to its ${features} features`)
}

/** `expected_average_only_in` needs nothing here: its scale is folded into the weights, or has no effect. */
function normalizationOf(file: string, given: unknown): Normalization {
  if (
    given === undefined ||
    given === null ||
    typeof given === 'boolean' ||
    given === 'none' ||
    given === 'expected_average_only_in'
  )
    return 'none'
  if (given === 'constant_norm_rescale' || given === 'layer_norm') return given
  throw unsupported(file, `normalizes by ${String(given)}`)
}
