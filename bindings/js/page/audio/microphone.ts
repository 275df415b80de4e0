// The samples of a MediaStream, such as a microphone's, as they arrive.
import { runOrCopy } from '../../platform/run-or-copy.js'
import { HeedError } from '../../wire/errors.js'

/** The model's sample rate in Hz; browsers convert microphones to it well. */
export const microphoneRate = 16_000
/** How long to wait for the audio context: without an output device, a browser never starts it. */
const patienceMs = 5_000

/** Yields the samples of the stream. Ends once all its tracks have ended or been stopped. Throws `unsupported` and `network`. */
export async function* samplesOfStream(stream: MediaStream, script: string | undefined): AsyncGenerator<Float32Array> {
  if (script === undefined || typeof AudioWorkletNode === 'undefined')
    throw new HeedError('unsupported', 'audio: a MediaStream cannot be read here: there are no audio worklets')
  const context = new AudioContext({ sampleRate: microphoneRate })
  try {
    await runOrCopy(script, address => context.audioWorklet.addModule(address))
    const node = new AudioWorkletNode(context, 'heed-microphone', { channelCount: 2, channelCountMode: 'max' })
    const source = context.createMediaStreamSource(stream)
    source.connect(node)
    node.connect(context.destination) // plays silence: a node without a destination is not run
    const pieces: Float32Array[] = []
    let wake = () => {}
    node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      pieces.push(data)
      wake()
    }
    await started(context)
    while (stream.active) {
      yield* pieces.splice(0)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    yield* pieces
  } finally {
    await context.close()
  }
}

async function started(context: AudioContext): Promise<void> {
  const late = new Promise<void>(resolve => setTimeout(resolve, patienceMs))
  await Promise.race([context.resume(), late])
  if (context.state !== 'running') throw new HeedError('unsupported', 'audio: the browser does not start to read the stream')
}
