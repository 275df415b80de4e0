// The room of models that transcribe: a file or the microphone becomes text, word by word beside the sound.
import '../styles/speech.css'
import {
  HeedError,
  type Audio,
  type LiveAudio,
  type Model,
  type TranscribeOptions,
  type Transcript,
  type TranscriptWord,
} from 'heed'
import { toSrt, toVtt } from '#audio/subtitles.js'
import { byId, make } from '../support/dom.js'
import { foreign } from '../support/format.js'
import { clearNotices, explain, notify } from '../support/notices.js'
import { saveFile } from '../support/save.js'
import type { Example } from '../model/slot.js'
import { HeadChoice } from './heads.js'
import { levelsOfFile, perSecond } from '../media/levels.js'
import { Recording } from '../media/recording.js'
import { openMicrophone } from './microphone.js'
import { Player } from './player.js'
import { Waveform } from './waveform.js'
import { clock, Written } from './written.js'

/** The weights of heads are drawn, and not saved. */
const withoutAttention = (key: string, value: unknown) => (key === 'attention' ? undefined : value)

/** The formats in which a transcript can be saved. */
const forms: readonly (readonly [name: string, end: string, type: string, write: (transcript: Transcript) => string])[] = [
  ['Text', 'txt', 'text/plain', ({ segments }) => segments.map(({ text }) => `${text.trim()}\n`).join('')],
  ['SRT subtitles', 'srt', 'application/x-subrip', ({ segments }) => toSrt(segments)],
  ['WebVTT subtitles', 'vtt', 'text/vtt', ({ segments }) => toVtt(segments)],
  ['JSON', 'json', 'application/json', transcript => `${JSON.stringify(transcript, withoutAttention, 2)}\n`],
]

const record = 'Record with the microphone'

export class SpeechView {
  readonly #place = byId('transcript', HTMLElement)
  readonly #notices = make('div', { className: 'notices' })
  readonly #file = make('input', { type: 'file', accept: 'audio/*,video/*', hidden: true, ariaLabel: 'A sound' })
  readonly #choose = make('button', { type: 'button', id: 'sound-choose' }, 'Choose a sound…')
  readonly #record = make('button', { type: 'button', id: 'sound-record', className: 'primary' }, record)
  readonly #cancel = make('button', { type: 'button', hidden: true }, 'Cancel')
  readonly #status = make('p', { className: 'speech-status', role: 'status' })
  readonly #done = make('span', { className: 'speech-done' })
  readonly #exports = make('div', { className: 'actions', role: 'group', ariaLabel: 'Save the transcript', hidden: true })
  readonly #written = new Written(
    (word, begin) => {
      this.#lit = { word, begin }
      this.#waveform.light(word)
      this.#drawAttention()
    },
    ({ start, end }) => this.#player.playOrPause(start, end),
  )
  readonly #heads = new HeadChoice(() => this.#drawAttention())
  readonly #waveform: Waveform = new Waveform(
    time => this.#written.lightAt(time),
    time => this.#player.playOrPause(time),
  )
  readonly #player: Player = new Player(time => {
    this.#waveform.playAt(time)
    this.#written.playAt(time)
  })
  readonly #example = make('button', { type: 'button', hidden: true }, 'Hear an example')
  #lit: { word?: TranscriptWord | undefined; begin?: number | undefined } = {}
  #sound?: string
  #model?: Model
  #stop = new AbortController()
  #microphone?: MediaStream
  #transcript?: Transcript
  #name = 'transcript'

  constructor() {
    const actions = make('div', { className: 'actions' }, this.#record, this.#choose, this.#example, this.#file, this.#cancel)
    const help = make(
      'p',
      { className: 'speech-help' },
      'You can also drop a sound here. It stays on this device. A click on a word plays from it; another pauses.',
    )
    const heading = make('h2', {}, 'What is said in a sound')
    this.#place.replaceChildren(
      ...[heading, actions, help, this.#notices, this.#waveform.element, this.#player.element],
      make('div', {}, this.#status, this.#done),
      ...[this.#written.element, this.#heads.element, this.#exports],
    )
    this.#choose.addEventListener('click', () => this.#file.click())
    this.#file.addEventListener('change', () => {
      const file = this.#file.files?.[0]
      this.#file.value = '' // lets the user choose the same file again
      if (file) void this.open(file)
    })
    this.#record.addEventListener('click', () => (this.#microphone ? this.#endRecording() : void this.#hear()))
    this.#example.addEventListener('click', () => void this.#openExample())
    this.#cancel.addEventListener('click', () => this.#stop.abort())
    for (const [name, end, type, write] of forms) {
      const save = make('button', { type: 'button' }, name)
      save.addEventListener('click', () => saveFile(`${this.#name}.${end}`, type, write(this.#transcript!)))
      this.#exports.append(save)
    }
  }

  /** `example`: the model's example, if it is one of our own models. */
  use(model: Model, example?: Example): void {
    this.#begin()
    this.#model = model
    this.#sound = example?.sound
    this.#example.hidden = !example?.sound
    this.#heads.use(model.info, example?.view)
    this.#place.hidden = false
    this.#status.textContent = ''
  }

  /** Ends a recording or transcription, and hides the view, when another kind of model is loaded. */
  hide(): void {
    this.#begin()
    this.#model = this.#sound = undefined
    this.#place.hidden = true
  }

  async #openExample(): Promise<void> {
    const address = this.#sound!
    try {
      const answer = await fetch(address)
      if (!answer.ok) throw new HeedError('network', `HTTP ${answer.status}`)
      const name = address.slice(address.lastIndexOf('/') + 1)
      if (address === this.#sound) await this.open(new File([await answer.blob()], name))
    } catch (error) {
      notify(explain('The example', HeedError.from(error)), this.#notices)
    }
  }

  #drawAttention(): void {
    this.#waveform.attend(this.#heads.weightsOf(this.#lit.word), this.#lit.begin)
  }

  /** Transcribes a file. */
  async open(file: File): Promise<void> {
    const stop = this.#begin()
    this.#name = file.name.replace(/\.\w+$/, '') || 'transcript'
    this.#status.textContent = `Transcribing “${foreign(file.name)}”…`
    this.#cancel.hidden = false
    const levels = await levelsOfFile(file)
    if (stop.aborted) return
    if (levels) this.#waveform.show(levels)
    this.#player.open(file)
    const attention = this.#heads.records(levels && levels.length / perSecond)
    await this.#transcribe(file, stop, `“${foreign(file.name)}”`, { attention })
  }

  /** Begins anew: ends a recording or transcription, and discards the transcript. */
  #begin(): AbortSignal {
    clearNotices()
    this.#stop.abort()
    this.#endRecording()
    this.#stop = new AbortController()
    this.#transcript = undefined
    this.#player.close()
    this.#written.clear()
    this.#waveform.show([])
    this.#done.textContent = ''
    this.#cancel.hidden = this.#exports.hidden = true
    return this.#stop.signal
  }

  async #hear(): Promise<void> {
    clearNotices()
    const before = this.#stop
    let stream: MediaStream
    try {
      stream = await openMicrophone()
    } catch (error) {
      if (before === this.#stop) notify((error as Error).message, this.#notices) // what was written before stays
      return
    }
    if (before !== this.#stop) return endTracks(stream)
    const stop = this.#begin()
    this.#name = 'recording'
    this.#microphone = stream
    this.#record.textContent = 'Stop recording'
    this.#status.textContent = 'Listening. Words appear as you speak.'
    this.#heads.records()
    const recording = new Recording()
    const onSamples = (samples: Float32Array) => {
      recording.add(samples)
      if (!stop.aborted) this.#waveform.show(recording.levels)
    }
    stop.addEventListener('abort', () => this.#endRecording())
    stream.getTracks()[0]!.addEventListener('ended', () => this.#endRecording()) // the device is gone, or the permission
    await this.#transcribe(stream, stop, 'The recording', { onSamples })
    if (stop === this.#stop.signal && recording.levels.length > 0) this.#player.open(recording.file())
  }

  #endRecording(): void {
    if (!this.#microphone) return
    endTracks(this.#microphone)
    this.#microphone = undefined
    this.#record.textContent = record
    this.#status.textContent = 'Writing the rest…'
  }

  async #transcribe(
    sound: Audio | LiveAudio,
    stop: AbortSignal,
    name: string,
    options: Pick<TranscribeOptions, 'attention' | 'onSamples'>,
  ): Promise<void> {
    const model = this.#model
    if (!model) return
    const transcription = model.transcribe(sound, {
      ...options,
      words: true,
      signal: stop,
      onInterim: segments => {
        if (!stop.aborted) this.#written.perhaps(segments)
      },
      onProgress: ({ done, total }) => {
        if (!stop.aborted) this.#done.textContent = `${clock(done)} of ${clock(total)}`
      },
    })
    try {
      for await (const segment of transcription) if (!stop.aborted || stop === this.#stop.signal) this.#written.add(segment)
      this.#show(await transcription.result, stop)
    } catch (error) {
      if (stop !== this.#stop.signal) return
      this.#endRecording()
      this.#status.textContent = ''
      notify(explain(name, HeedError.from(error)), this.#notices)
    } finally {
      if (stop === this.#stop.signal) this.#cancel.hidden = true
    }
  }

  #show(transcript: Transcript, stop: AbortSignal): void {
    if (stop !== this.#stop.signal) return
    this.#endRecording()
    this.#written.perhaps([])
    this.#transcript = transcript
    const isSilent = transcript.segments.length === 0
    this.#exports.hidden = isSilent
    const ended = stop.aborted ? 'Canceled.' : 'Done.'
    this.#status.textContent = isSilent && !stop.aborted ? 'No words were heard.' : ended
  }
}

const endTracks = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}
