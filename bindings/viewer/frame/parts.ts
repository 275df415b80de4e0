// The viewer's elements, created once per viewer and filled by the modules that render into them.
import { makeLooks } from './looks.js'
import { describe, make } from '../support/dom.js'

export type Parts = ReturnType<typeof makeParts>

/** The text with the card of the selected token, or the image, is on one side; the attention is on the other. */
export function makeParts() {
  const reading = makeReading()
  const picture = makePicture()
  const looks = makeLooks()
  const card = makeCard()
  const gates = makeGates()
  const attention = makeAttention(gates.place)
  const speech = make('p', { id: 'speech', className: 'visually-hidden', ariaLive: 'polite' })
  const tooltip = make('div', { id: 'tooltip', className: 'tooltip', ariaHidden: 'true', hidden: true })
  const probe = make('span', { className: 'probe', hidden: true })
  const inspector = make('div', { className: 'inspector' }, speech, attention.place, slot('beside'))
  const below = make('div', { className: 'below' }, slot('below'))
  const above = slot()
  const aside = make('div', { className: 'above' }, above)
  const content = make('div', { className: 'content' }, aside, reading.place, card.place, picture.place, looks.place, below)
  const columns = make('div', { className: 'columns' }, content, inspector)
  const root = make('div', { className: 'viewer' }, columns)
  above.addEventListener('slotchange', () => root.classList.toggle('led', above.assignedElements().length > 0))
  return { root, tooltip, probe, speech, reading, picture, looks, card, attention, gates }
}

const slot = (name = '') => make('slot', { name })

/** The text, the text to compare it with, and the replay controls. */
function makeReading() {
  const text = describe(
    make('div', { id: 'passage', className: 'text', role: 'listbox', tabIndex: 0, ariaLabel: 'Tokens of the text' }),
    { 'aria-describedby': 'text-help compare-note' },
  )
  const help = make(
    'p',
    { id: 'text-help', className: 'visually-hidden' },
    'Arrow keys move from token to token and show what was looked at for each; Escape lets go.',
  )
  const replay = make('div', { id: 'replay', className: 'replay' })
  const shownName = make('h3', { hidden: true })
  const shownText = make('div', {}, shownName, text)
  const other = describe(make('div', { id: 'other', className: 'text', role: 'listbox', tabIndex: 0 }), {
    'aria-describedby': 'compare-note',
  })
  const otherName = make('h3')
  const otherText = make('div', { hidden: true }, otherName, other)
  const texts = make('div', { className: 'texts' }, shownText, otherText)
  const note = make('p', { id: 'compare-note', className: 'note', hidden: true })
  const drafts = make(
    'p',
    { className: 'drafts-note' },
    make('span', { className: 'drafted' }, 'Dotted'),
    ': proposed by a draft, and verified.',
  )
  const place = make('section', { id: 'reading', className: 'reading', ariaLabel: 'Text' }, replay, note, texts, drafts, help)
  return { place, replay, texts, text, shownText, shownName, other, otherText, otherName, note }
}

function makePicture() {
  const pixels = make('canvas', { id: 'picture-pixels', ariaHidden: 'true' })
  const overlay = make('canvas', { id: 'picture-overlay', ariaHidden: 'true' })
  const subject = make('span', { id: 'picture-subject', className: 'patch subject-patch', hidden: true })
  const object = make('span', { id: 'picture-object', className: 'patch object-patch', hidden: true })
  const frame = describe(
    make(
      'div',
      {
        id: 'picture',
        className: 'frame',
        tabIndex: 0,
        role: 'application',
        ariaLabel: 'The picture; arrow keys move over its patches and show what each one attends to, Escape goes back to the whole',
      },
      pixels,
      overlay,
      subject,
      object,
    ),
    { 'aria-roledescription': 'picture', 'aria-describedby': 'picture-caption' },
  )
  const readout = make('p', { id: 'picture-readout', className: 'picture-readout', ariaHidden: 'true' })
  const patches = make('span')
  const caption = make(
    'figcaption',
    { id: 'picture-caption' },
    'The model cuts the picture into ',
    patches,
    ' patches. Light falls on those that the whole picture (its class token) ',
    'looks at or, where you point, on those that the patch there looks at. Click to hold it.',
  )
  const place = make('figure', { className: 'picture', hidden: true }, frame, readout, caption)
  return { place, frame, pixels, overlay, subject, object, readout, patches }
}

function makeCard() {
  const hintWritten = make('span', {}, ', and what else it might have written')
  const hint = make(
    'p',
    { className: 'hint' },
    make('span', { className: 'with-pointer' }, 'Point at'),
    make('span', { className: 'with-touch' }, 'Tap'),
    ' a word of the text to see what the model looked at for it',
    hintWritten,
    '.',
    make('span', { className: 'with-pointer' }, ' Click to hold it.'),
  )
  const part = (id: string) => {
    const title = make('h3')
    const bars = make('ol', { className: 'bars' })
    return { title, bars, place: make('div', { id, hidden: true }, title, bars) }
  }
  const attended = part('card-attended')
  const choice = part('card-alternatives')
  const note = make('p', { id: 'card-note', className: 'note', hidden: true })
  const actions = make('slot', { name: 'token' })
  const place = make(
    'section',
    { id: 'card', className: 'card empty', ariaLabel: 'The token selected' },
    hint,
    attended.place,
    choice.place,
    make('div', { className: 'card-foot' }, note, make('div', { className: 'actions' }, actions)),
  )
  actions.addEventListener('slotchange', () => place.classList.toggle('acting', actions.assignedElements().length > 0))
  return { place, hint, hintWritten, attended, choice, note }
}

/** The gates of a recurrent layer, which may have attention as well. */
function makeGates() {
  const map = (id: string, label: string) =>
    describe(make('canvas', { id, role: 'img', ariaLabel: label }), { 'aria-describedby': 'gates-caption' })
  const forgets = map('gates-forget', 'What each head forgets at each token')
  const writes = map('gates-write', 'How strongly each head writes each token')
  const readout = make('p', { id: 'gates-readout', className: 'readout', ariaHidden: 'true' })
  const steps = make('span')
  const place = make(
    'figure',
    { id: 'gates', className: 'gates', hidden: true },
    readout,
    make('h3', {}, 'Forgets'),
    forgets,
    make('h3', {}, 'Writes'),
    writes,
    make(
      'figcaption',
      { id: 'gates-caption' },
      'A recurrent layer keeps no tokens to look back at. Each head (a row) has one state for the whole text: at each token (a column) it ',
      'first forgets a share of it, and then writes the token into it. The stronger the color, the more.',
      steps,
    ),
  )
  return { place, forgets, writes, readout, steps }
}

/** The layer and head controls, the heat map with its caption, the gates, and the overview. */
function makeAttention(gates: HTMLElement) {
  const slider = make('input', { id: 'layer', type: 'range', min: '0', max: '0', value: '0' })
  const layerName = make('output', { id: 'layer-name' })
  layerName.htmlFor.add('layer')
  const title = make(
    'div',
    { className: 'title' },
    make('h2', { id: 'attention-title' }, 'Attention'),
    make('label', { htmlFor: 'layer' }, 'Layer'),
    slider,
    layerName,
  )
  const kinds = make(
    'fieldset',
    { id: 'kind', className: 'kinds', hidden: true },
    make('legend', { className: 'visually-hidden' }, 'Kind of attention'),
  )
  const measures = make(
    'fieldset',
    { id: 'measure', className: 'kinds', hidden: true },
    make('legend', { className: 'visually-hidden' }, 'What is shown'),
  )
  const measureNote = make('p', { id: 'measure-note', className: 'note', hidden: true })
  const heads = make('div', { id: 'heads', className: 'thumbnails' })
  const headNote = make('p', { id: 'head-note', className: 'note' })
  const canvas = describe(make('canvas', { id: 'heat-map', tabIndex: 0, role: 'application' }), {
    'aria-roledescription': 'heat map',
    'aria-describedby': 'map-caption',
  })
  const empty = make(
    'p',
    { id: 'map-empty', className: 'hint', hidden: true },
    'This layer does not attend: it mixes each token with those before it in another way.',
  )
  const readout = make('p', { id: 'map-readout', className: 'readout', ariaHidden: 'true' })
  const caption = make('span')
  const notes = make('span')
  const save = make('div', { id: 'save-map' })
  const legend = make('div', { id: 'legend', className: 'legend' })
  const map = make(
    'figure',
    { id: 'map', className: 'map' },
    canvas,
    empty,
    readout,
    legend,
    make('figcaption', { id: 'map-caption' }, caption, ' ', notes),
    save,
  )
  const panel = (id: string) => make('details', { id, className: 'panel' })
  const [overview, sideBySide, acrossLayers] = [panel('overview'), panel('side-by-side'), panel('across-layers')]
  const [insideWeight, drawingLots, twoSentences] = [panel('inside-weight'), panel('drawing-lots'), panel('two-sentences')]
  const headsPlace = make(
    'fieldset',
    { className: 'heads' },
    make('legend', { className: 'visually-hidden' }, 'Head'),
    heads,
    headNote,
  )
  const panels = [overview, sideBySide, acrossLayers, insideWeight, drawingLots, twoSentences]
  const place = describe(
    make('section', { className: 'attention' }, title, kinds, headsPlace, map, measures, measureNote, gates, ...panels),
    { 'aria-labelledby': 'attention-title' },
  )
  return {
    place,
    slider,
    layerName,
    kinds,
    measures,
    measureNote,
    headsPlace,
    heads,
    headNote,
    map,
    canvas,
    empty,
    readout,
    legend,
    caption,
    notes,
    save,
    overview,
    sideBySide,
    acrossLayers,
    insideWeight,
    drawingLots,
    twoSentences,
  }
}
