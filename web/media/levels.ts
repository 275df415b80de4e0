// How loud a sound is, from 0 to 1, twenty times a second.

export const perSecond = 20

/** The rate to which a file is decoded. */
const rate = 16_000

const loudest = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

/** The highest of these levels, of which a long sound has more than a function takes arguments. */
export const highest = (levels: readonly number[]): number => levels.reduce((most, level) => Math.max(most, level), 0)

/** The levels of the samples of one channel, at `rate` Hz. */
export function levelsOf(samples: Float32Array, rate: number): number[] {
  const step = rate / perSecond
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, at) => loudest(samples.subarray(at * step, (at + 1) * step)))
}

/** The levels of a file. Resolves to undefined if the browser cannot decode it; Heed may be able to. */
export async function levelsOfFile(file: Blob): Promise<number[] | undefined> {
  try {
    const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(await file.arrayBuffer())
    return levelsOf(sound.getChannelData(0), rate)
  } catch {
    return undefined
  }
}
