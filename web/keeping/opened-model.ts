// Remembers the model that is open in this tab. After a reload, the page loads it again if it need not be downloaded; a file from
// the disk, which a page cannot open by itself, is only named.
import { isRecord } from '../conversation/file.js'
import type { KeptModel } from './record.js'
import { isOn } from './switch.js'

const key = 'heed-model'

/** `model` is the open model; without one, nothing is remembered. */
export function rememberModel(model?: KeptModel): void {
  try {
    if (model && isOn()) sessionStorage.setItem(key, JSON.stringify(model))
    else sessionStorage.removeItem(key)
  } catch {} // it is not remembered
}

/** The model that was open before a reload, if any. */
export function modelBefore(): KeptModel | undefined {
  try {
    const model: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isRecord(model) && typeof model.name === 'string' ? (model as unknown as KeptModel) : undefined
  } catch {
    return undefined
  }
}
