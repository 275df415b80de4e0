// The room of models that transcribe: a file and the microphone become text, beside the sound; subtitles are saved.
import assert from 'node:assert/strict'
import { chirp, wavFile, whisperModel } from '../../support/whisper_model.mjs'
import { atBothWidths, chooseFiles, hasModel } from '../page.mjs'

/** Each token is a word. */
const words = Array.from({ length: 50_256 }, (_, id) => Buffer.from(id === 0 ? ' ' : ` w${id}`))
const model = { name: 'ggml-random.bin', bytes: whisperModel({ positions: 50, words }) }
const sound = { name: 'talk.wav', bytes: wavFile(chirp(2)) }

async function listening(open) {
  const page = await open()
  await hasModel(page)
  await chooseFiles(page, '#file', [model])
  await page.waitForFunction(() => globalThis.heed.model.info.transcribes && !document.getElementById('transcript').hidden)
  return page
}

const isDone = page =>
  page.waitForFunction(() => ['Done.', 'No words were heard.'].includes(document.querySelector('.speech-status').textContent))

/** Replaces what saves files, and the microphone. */
const prepare = (page, microphone) =>
  page.evaluate(kind => {
    globalThis.saved = []
    const createObjectURL = URL.createObjectURL
    URL.createObjectURL = blob => {
      if (blob instanceof Blob && !blob.type.startsWith('audio/')) globalThis.saved.push(blob) // the others are played
      return createObjectURL(blob)
    }
    navigator.mediaDevices.getUserMedia = async asked => {
      globalThis.asked = asked
      if (kind === 'refused') throw new DOMException('no', 'NotAllowedError')
      const context = new AudioContext()
      const tone = context.createOscillator()
      const out = context.createMediaStreamDestination()
      tone.connect(out)
      tone.start()
      await context.resume()
      globalThis.recorded = out.stream
      return out.stream
    }
  }, microphone)

atBothWidths('a file is transcribed; subtitles are saved', async ({ open }) => {
  const page = await listening(open)
  await prepare(page)
  assert.equal(await page.evaluate(() => document.getElementById('viewer').hidden), true)
  await chooseFiles(page, '#transcript input[type=file]', [sound])
  await isDone(page)
  const { words, label } = await page.evaluate(() => ({
    words: [...document.querySelectorAll('.heard .word')].map(({ textContent }) => textContent),
    label: document.querySelector('.waveform').getAttribute('aria-label'),
  }))
  assert.ok(words.length > 0)
  assert.equal(label, 'The sound, 2.0 seconds')

  const [text, srt, vtt, json] = await page.evaluate(async () => {
    for (const save of document.querySelectorAll('#transcript [role=group] button')) save.click()
    return Promise.all(globalThis.saved.map(blob => blob.text()))
  })
  assert.match(srt, /^1\n00:00:00,\d{3} --> 00:00:\d\d,\d{3}\n/)
  assert.match(vtt, /^WEBVTT\n\n00:00:00\.\d{3} --> /)
  assert.equal(
    JSON.parse(json)
      .segments.map(segment => `${segment.text.trim()}\n`)
      .join(''),
    text,
  )
})

/** What a random model hears is one word: here are three. */
const hearThree = page =>
  page.evaluate(() => {
    const words = ['one', 'two', 'three'].map((text, at) => ({ text, start: at * 0.5, end: at * 0.5 + 0.4 }))
    const segments = [{ text: ' one two three', start: 0, end: 1.4, words }]
    const transcription = { result: Promise.resolve({ segments }), [Symbol.asyncIterator]: () => segments.values() }
    globalThis.heed.model.transcribe = () => transcription
  })

atBothWidths('words and sound light each other, by pointer and keys', async ({ open }) => {
  const page = await listening(open)
  await hearThree(page)
  await chooseFiles(page, '#transcript input[type=file]', [sound])
  await isDone(page)
  const { focused, moved, back, none, pointed } = await page.evaluate(() => {
    const stretch = () =>
      ['x', 'width'].map(name => Math.round(Number(document.querySelector('.waveform rect').getAttribute(name))))
    const lit = () => [...document.querySelectorAll('.heard .lit')].map(({ textContent }) => textContent)
    const key = name =>
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
    const [first] = document.querySelectorAll('.heard .word')
    first.focus()
    const focused = { lit: lit(), stretch: stretch() }
    key('ArrowRight')
    key('ArrowRight')
    const moved = { lit: lit(), stretch: stretch(), stops: document.querySelectorAll('.heard [tabindex="0"]').length }
    key('ArrowLeft')
    const back = lit()
    document.activeElement.blur()
    const none = { lit: lit(), width: stretch()[1] }
    const waveform = document.querySelector('.waveform')
    const { left, width, top } = waveform.getBoundingClientRect()
    const pointed = [0.1, 0.23, 0.3, 0.9].map(share => {
      waveform.dispatchEvent(new PointerEvent('pointermove', { clientX: left + share * width, clientY: top + 5 }))
      return lit().join()
    })
    return { focused, moved, back, none, pointed }
  })
  assert.deepEqual(focused, { lit: ['one'], stretch: [0, 8] })
  assert.deepEqual(moved, { lit: ['three'], stretch: [20, 8], stops: 1 })
  assert.deepEqual(back, ['two'])
  assert.deepEqual(none, { lit: [], width: 0 })
  assert.deepEqual(pointed, ['one', '', 'two', ''])
})

const lit = page => page.evaluate(() => document.querySelector('.heard .lit')?.textContent)

/** Resolves once what the sound does has lit this word; null: none. */
const lights = (page, word) =>
  page.waitForFunction(word => (document.querySelector('.heard .lit')?.textContent ?? null) === word, word)

atBothWidths(
  'the sound is played: from a word, from a place in the waveform, and the word that is played is lit',
  async ({ open }) => {
    const page = await listening(open)
    await hearThree(page)
    assert.equal(await page.evaluate(() => document.querySelector('#transcript audio').hidden), true)
    await chooseFiles(page, '#transcript input[type=file]', [sound])
    await isDone(page)
    await page.evaluate(() => {
      globalThis.player = document.querySelector('#transcript audio')
      globalThis.words = [...document.querySelectorAll('.heard .word')]
      globalThis.event = name => new Promise(resolve => player.addEventListener(name, resolve, { once: true }))
      // One word is played at a time: the test decides when the sound goes on.
      globalThis.plays = []
      player.play = async () => void globalThis.plays.push(player.currentTime)
    })
    assert.equal(await page.evaluate(() => player.hidden || !player.controls), false)

    /** Presses something that moves the sound; resolves to where it was to be played from. */
    const pressed = press => page.evaluate(press).then(() => page.evaluate(() => globalThis.plays.at(-1)))
    const near = (time, wanted) => assert.ok(Math.abs(time - wanted) < 0.02, `${time}, not ${wanted}`)
    near(await pressed(async () => void (await Promise.all([event('seeked'), words[2].click()]))), 1)
    await lights(page, 'three')
    const fromWaveform = async () => {
      const waveform = document.querySelector('.waveform')
      const { left, width, top } = waveform.getBoundingClientRect()
      const clientX = left + 0.3 * width
      await Promise.all([event('seeked'), waveform.dispatchEvent(new MouseEvent('click', { clientX, clientY: top + 5 }))])
    }
    near(await pressed(fromWaveform), 0.6)
    await lights(page, 'two')
    const place = await page.evaluate(() => document.querySelector('.waveform .place').getAttribute('d'))
    assert.match(place, /^M1[12]\.\d\d,0v100$/)

    await page.evaluate(async () => {
      player.currentTime = 0.45
      await event('seeked')
    })
    await lights(page, null)
  },
)

atBothWidths('a sound plays to its end, and a press on the word that is played pauses it', async ({ open, browser }) => {
  const page = await listening(open)
  await hearThree(page)
  await chooseFiles(page, '#transcript input[type=file]', [sound])
  await isDone(page)
  await page.evaluate(() => {
    globalThis.player = document.querySelector('#transcript audio')
    globalThis.seen = []
    player.muted = true // browsers play it without a gesture
    new MutationObserver(() => {
      const word = document.querySelector('.heard .lit')?.textContent
      if (globalThis.seen.at(-1) !== word) globalThis.seen.push(word)
    }).observe(document.querySelector('.heard'), { subtree: true, attributes: true })
    globalThis.ended = new Promise(resolve => player.addEventListener('ended', resolve, { once: true }))
    document.querySelector('.heard .word').click()
  })
  await page.evaluate(() => globalThis.ended)
  const seen = await page.evaluate(() => globalThis.seen.filter(Boolean))
  assert.deepEqual(seen, ['one', 'two', 'three'], browser)
  assert.equal(await lit(page), undefined)

  const { paused, time } = await page.evaluate(async () => {
    const word = document.querySelectorAll('.heard .word')[1]
    const event = name => new Promise(resolve => player.addEventListener(name, resolve, { once: true }))
    player.playbackRate = 0.1 // or the word may be over
    const playing = event('playing')
    word.click()
    await playing
    const paused = event('pause')
    word.click()
    await paused
    return { paused: player.paused, time: player.currentTime }
  })
  assert.ok(paused && time >= 0.5 && time < 0.9, `${time}`)
})

atBothWidths('the microphone: refused, and recorded until it is stopped', async ({ open, browser }) => {
  const page = await listening(open)
  await prepare(page, 'refused')
  await page.click('#sound-record')
  await page.waitForFunction(() => /The microphone was refused/.test(document.querySelector('#transcript .notice')?.textContent))
  const audio = await page.evaluate(() => globalThis.asked.audio)
  assert.deepEqual(audio, { echoCancellation: false, noiseSuppression: false, autoGainControl: false })
  if (browser === 'firefox') return // its AudioContexts stay suspended on machines without an output device
  await prepare(page, 'tone')
  await page.click('#sound-record')
  await page.waitForFunction(() => document.querySelector('.heard .interim')?.textContent.endsWith('…'))
  assert.equal(await page.textContent('#sound-record'), 'Stop recording')
  assert.equal(await page.locator('#transcript .notice').count(), 0)
  await page.click('#sound-record')
  await isDone(page)
  const { states, words, interim, button } = await page.evaluate(() => ({
    states: globalThis.recorded.getTracks().map(({ readyState }) => readyState),
    words: document.querySelectorAll('.heard .word').length,
    interim: document.querySelectorAll('.heard .interim').length,
    button: document.getElementById('sound-record').textContent,
  }))
  assert.deepEqual(states, ['ended'])
  assert.ok(words > 0)
  assert.equal(interim, 0)
  assert.equal(button, 'Record with the microphone')
  const { hidden, seconds, label } = await page.evaluate(async () => {
    const player = document.querySelector('#transcript audio')
    if (!(player.readyState > 0)) await new Promise(resolve => player.addEventListener('loadedmetadata', resolve, { once: true }))
    const label = document.querySelector('.waveform').getAttribute('aria-label')
    return { hidden: player.hidden, seconds: player.duration, label }
  })
  assert.equal(hidden, false)
  assert.equal(label, `The sound, ${seconds.toFixed(1)} seconds`)
})

atBothWidths('a microphone that is refused takes nothing away: the transcript and its sound stay', async ({ open }) => {
  const page = await listening(open)
  await prepare(page, 'refused')
  await chooseFiles(page, '#transcript input[type=file]', [sound])
  await isDone(page)
  const there = () =>
    page.evaluate(() => ({
      text: document.querySelector('.heard').textContent,
      status: document.querySelector('.speech-status').textContent,
      isPlayable: !document.querySelector('#transcript audio').hidden,
      label: document.querySelector('.waveform').getAttribute('aria-label'),
      canSave: !document.querySelector('#transcript [aria-label="Save the transcript"]').hidden,
    }))
  const before = await there()
  assert.ok(before.text !== '' && before.isPlayable && before.canSave, JSON.stringify(before))
  await page.click('#sound-record')
  await page.waitForFunction(() => /The microphone was refused/.test(document.querySelector('#transcript .notice')?.textContent))
  assert.deepEqual(await there(), before)
})

atBothWidths('another model takes the room away, and a sound without a model for it is explained', async ({ open }) => {
  const page = await listening(open)
  await page.evaluate(() => document.getElementById('bundled').click())
  await page.waitForFunction(() => globalThis.heed.model.info.name === 'heed-stories')
  const { hidden, viewer } = await page.evaluate(() => ({
    hidden: document.getElementById('transcript').hidden,
    viewer: document.getElementById('viewer').hidden,
  }))
  assert.deepEqual({ hidden, viewer }, { hidden: true, viewer: false })
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['RIFF'], 'talk.wav', { type: 'audio/wav' }))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  })
  await page.waitForFunction(() => /is a sound/.test(document.querySelector('.notice')?.textContent))
})

atBothWidths('a message of the lesson is not put where it cannot be seen: the page says what chats', async ({ open }) => {
  const page = await listening(open)
  await page.evaluate(() => document.querySelector('#lesson-tasks button').click())
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.notice')].some(({ textContent }) => /does not chat/.test(textContent)),
  )
  assert.equal(await page.inputValue('#message'), '')
  assert.equal(await page.evaluate(() => document.getElementById('transcript').hidden), false)
})
