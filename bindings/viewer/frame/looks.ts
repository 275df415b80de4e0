// The elements that show where in images the words of a text looked.
import { describe, make } from '../support/dom.js'

export function makeLooks() {
  const title = make('h2', { id: 'looks-title' }, 'Where each word looked')
  const large = make('div', { className: 'looks-large' })
  const sentence = make('p', { id: 'looks-sentence', className: 'picture-readout' })
  const most = make('span')
  const scale = make(
    'p',
    { className: 'looks-scale' },
    'nothing',
    describe(make('span', { className: 'looks-colors' }), { 'aria-hidden': 'true' }),
    most,
  )
  const words = describe(make('ol', { className: 'looks-words' }), {
    'aria-labelledby': 'looks-title',
    'aria-describedby': 'looks-help',
  })
  const help = make(
    'p',
    { id: 'looks-help', className: 'note' },
    'Under each word of the answer: what it looked at when it was chosen, in the layer and head that “Attention” shows. Arrow keys move from word to word.',
  )
  const csv = make('button', { type: 'button', className: 'quiet', id: 'looks-csv' }, 'Save as CSV')
  const png = make('button', { type: 'button', className: 'quiet', id: 'looks-png' }, 'Save as a picture')
  const place = describe(
    make(
      'section',
      { id: 'looks', className: 'looks', hidden: true },
      title,
      large,
      sentence,
      scale,
      words,
      help,
      make('p', { className: 'looks-files' }, csv, png),
    ),
    { 'aria-labelledby': 'looks-title' },
  )
  return { place, large, sentence, most, scale, words, csv, png }
}
