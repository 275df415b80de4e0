// Whether a model fits on this device, in sentences: its memory, its speed, and the room to store it. Loaded when it is first
// asked.
import { type Fit, modelStore } from 'heed'
import { bytes, rate } from '../support/format.js'
import type { Source } from './slot.js'

/** A text of this length should fit, or the model's longest if that is shorter. */
const usualContext = 4096

/** Rounds to two digits: an estimate is no more precise. */
const rounded = (value: number) => Number(value.toPrecision(2))

function inWords({ fits, memory, contextLength, longestContext, tokensPerSecond, storage }: Fit): string {
  const needed = memory.bytes + memory.cache
  const sentences = []
  if (fits) sentences.push(`Fits: ${bytes(needed)} of memory with ${contextLength} tokens of context.`)
  else {
    const instead = longestContext > 0 ? `; ${longestContext} tokens of context would fit` : ''
    sentences.push(`Does not fit: it takes ${bytes(needed)} of memory, and this page has ${bytes(memory.limit)}${instead}.`)
  }
  const { reading, writing } = tokensPerSecond
  if (writing > 0) sentences.push(`About ${rate(rounded(writing))}, and ${rate(rounded(reading))} while it reads.`)
  else if (reading > 0) sentences.push(`It reads about ${rate(rounded(reading))}.`)
  if (storage && storage.needed > 0 && storage.free !== undefined && storage.needed > storage.free)
    sentences.push(`There is no room to store it: ${bytes(storage.needed)} of ${bytes(storage.free)}.`)
  return sentences.join(' ')
}

/** A sentence about a source. Rejects with a HeedError. */
export const describeFit = async ({ data, hub }: Source): Promise<string> => inWords(await fitOf(data, hub))

/** The fit with the usual context, or with the model's default if that is shorter. */
async function fitOf(data: Source['data'], hub: Source['hub']): Promise<Fit> {
  const fit = await modelStore.fits(data, { hub })
  return fit.contextLength <= usualContext ? fit : modelStore.fits(data, { hub, contextLength: usualContext })
}
