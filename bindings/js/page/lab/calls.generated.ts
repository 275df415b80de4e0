// Written by tools/contract from api/: how the options of every call are checked and copied.
import type { CollectProgress, SweepProgress } from '../../types/lab-room.js'
import type { LoadProgress } from '../../types/loading.js'
import { adapters, edits } from '../edits.js'
import { cache, endpoint, firstAndLast, indices, places, pointNames, token, tokenName, tokenNames } from '../kinds.js'
import { prompt } from '../prompts.js'
import {
  type Description,
  type Reader,
  boolean,
  callback,
  count,
  integer,
  mostIndex,
  number,
  object,
  oneOf,
  required,
  signal,
  text,
} from '../readers.js'
import { collectPositions, collectState, dictionary, headPlace, prompts, receiver, sweepAxes, sweepState, target } from './kinds.js'

const changeOptions = {
  adapters,
  edits,
} satisfies Description

const tokenizeOptions = {
  addSpecial: [boolean, true],
  parseSpecial: [boolean, false],
} satisfies Description

const readOptions = {
  ...tokenizeOptions,
  ...changeOptions,
  signal,
} satisfies Description

const collectExamples = {
  sae: [dictionary, required],
  features: [indices, required],
  top: [count(1), 10],
} satisfies Description

const hubOptions = {
  revision: text,
  endpoint,
  token,
} satisfies Description

const sweepMetric = {
  token: tokenName,
  against: tokenName,
  position: integer(-mostIndex, mostIndex),
} satisfies Description

const sweepPath = {
  from: headPlace,
  to: [receiver, required],
  via: oneOf('q', 'k', 'v'),
  mlps: [oneOf('recomputed', 'frozen'), 'recomputed'],
  norms: [oneOf('recomputed', 'frozen'), 'recomputed'],
} satisfies Description

/** The options of every call, by the name of the call. */
export const calls = {
  sweep: {
    ...readOptions,
    clean: [prompt, required],
    corrupted: prompt,
    base: oneOf('corrupted', 'clean'),
    metric: [object(sweepMetric), required],
    at: text,
    over: sweepAxes,
    layers: [indices, []],
    heads: [indices, []],
    positions: places,
    ablate: oneOf('zero', 'mean'),
    texts: [prompts, []],
    path: object(sweepPath),
    resume: sweepState,
    onProgress: callback as Reader<(progress: SweepProgress) => void>,
  },
  loadFeatures: {
    hub: object(hubOptions),
    stallTimeout: count(1),
    signal,
    onProgress: callback as Reader<(progress: LoadProgress) => void>,
    cache: [cache, false],
    hook: text,
    hookOut: text,
    normScale: [number('above 0', value => value > 0), 1],
  },
  features: {
    ...readOptions,
    sae: [dictionary, required],
    top: [count(1), 10],
    activations: [boolean, false],
    reconstruction: [boolean, false],
  },
  featureEffect: {
    top: [count(1), 10],
    signal,
  },
  collect: {
    ...readOptions,
    points: [pointNames, required],
    positions: collectPositions,
    tokens: [tokenNames, []],
    to: target,
    as: oneOf('npy', 'npz', 'safetensors'),
    type: [oneOf('float32', 'float16'), 'float32'],
    statistics: oneOf('mean', 'covariance'),
    examples: object(collectExamples),
    resume: collectState,
    onProgress: callback as Reader<(progress: CollectProgress) => void>,
  },
  means: {
    ...readOptions,
    points: [pointNames, required],
  },
  probe: {
    ...readOptions,
    point: [text, required],
    positions: [oneOf('all', 'last'), 'last'],
    l2: [number('above 0', value => value > 0), 1],
    standardize: [boolean, false],
  },
  weights: {
    rows: firstAndLast,
    signal,
  },
  compareModels: {
    ...tokenizeOptions,
    signal,
  },
} satisfies Record<string, Description>
