// The handler that transcribes a sound, one pass of the engine at a time.
import { type Handler, readingHandler, runPass } from '../host.js'

export const transcribe: Handler<'transcribe'> = readingHandler(async (host, state, { sound, rate, options }) => {
  const { engine, handles, post } = host
  const transcription = handles.track(engine.transcribe(sound, rate, options))
  const report = (segments: ReturnType<typeof transcription.step> & object) =>
    post({
      type: 'transcribed',
      id: state.id,
      segments,
      language: transcription.language(),
      done: transcription.heard() / 100,
      total: transcription.length() / 100,
    })
  try {
    let heard = -1
    while (!transcription.done()) {
      const segments = await runPass(host, state, () => transcription.step())
      const moved = heard !== transcription.heard()
      heard = transcription.heard()
      if (segments.length > 0 || moved) report(segments)
    }
    report([]) // a sound may be too short for a pass
  } finally {
    handles.free(transcription)
  }
})
