// How loud a sound is, from 0 to 1, twenty times a second: of a file, or of a stream while it sounds.

export const perSecond = 20

/** The rate to which a file is decoded. */
const rate = 16_000

const loudest = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

/** Resolves to undefined if the browser cannot decode the file; Heed may be able to. */
export async function levelsOfFile(file: Blob): Promise<number[] | undefined> {
  try {
    const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(await file.arrayBuffer())
    const samples = sound.getChannelData(0)
    const step = rate / perSecond
    return Array.from({ length: Math.ceil(samples.length / step) }, (_, at) =>
      loudest(samples.subarray(at * step, (at + 1) * step)),
    )
  } catch {
    return undefined
  }
}

/** Appends to `levels` until the returned function is called. */
export function watchLevels(stream: MediaStream, levels: number[], onChange: () => void): () => void {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 2 ** Math.ceil(Math.log2(context.sampleRate / perSecond))
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const began = performance.now()
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const level = loudest(samples)
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) // timers of a page in the background are late
    while (levels.length < due) levels.push(level)
    onChange()
  }, 1000 / perSecond)
  return () => {
    clearInterval(timer)
    void context.close()
  }
}
