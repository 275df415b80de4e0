// The families of call formats, detected in a template's text, because models write calls as their templates do.
import type { CallFamily } from '../types.js'
import { json, llama3Json } from './bare-json.js'
import type { Format } from './format.js'
import { harmony } from './harmony.js'
import { functionGemma, gemma4, lfm2 } from './literals.js'
import { deepseekR1, deepseekV31, kimi, mistralArgs } from './named-json.js'
import { commandR7b, granite3, hermes, mistralJson, phi4Mini } from './tagged-json.js'
import { glm, minicpm5, qwenXml } from './xml.js'

/** A template belongs to the first family that matches, so the more specific families come first. */
export const formats: Readonly<Record<CallFamily, Format>> = {
  harmony,
  gemma4,
  functiongemma: functionGemma,
  'deepseek-r1': deepseekR1,
  'deepseek-v31': deepseekV31,
  kimi,
  'mistral-args': mistralArgs,
  'mistral-json': mistralJson,
  'command-r7b': commandR7b,
  'qwen-xml': qwenXml,
  minicpm5,
  glm,
  lfm2,
  'phi4-mini': phi4Mini,
  granite3,
  hermes,
  'llama3-json': llama3Json,
  json,
}

export const familyOf = (source: string): CallFamily =>
  (Object.keys(formats) as CallFamily[]).find(family => formats[family].isIn(source))!
