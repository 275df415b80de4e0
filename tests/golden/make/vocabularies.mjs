// A small vocabulary for each kind of tokenizer, as metadata: letters and a few longer pieces.
const [normal, unknown, control] = [1, 2, 3]
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const space = '\u2581'

const text = value => ['string', value]
const id = value => ['u32', value]

const ordinary = pieces => pieces.map(piece => [piece, normal])

/** tokens: [text, kind] */
const vocabulary = (model, pre, tokens, more) => ({
  size: tokens.length,
  metadata: {
    'tokenizer.ggml.model': text(model),
    'tokenizer.ggml.pre': text(pre),
    'tokenizer.ggml.tokens': text(tokens.map(([text]) => text)),
    'tokenizer.ggml.token_type': ['i32', tokens.map(([, kind]) => kind)],
    ...more,
  },
})

/** Scores decrease with the id: the first pieces are the most likely. */
const scores = count => ['f32', Array.from({ length: count }, (_, i) => -i)]

function sentencePiece() {
  const special = [
    ['<unk>', unknown],
    ['<s>', control],
    ['</s>', control],
  ]
  const pieces = [
    `${space}the`,
    'the',
    'he',
    'th',
    'in',
    'er',
    'an',
    `${space}t`,
    `${space}a`,
    `${space}w`,
    space,
    ...letters,
    ...letters.filter(letter => !'taw'.includes(letter)).map(letter => space + letter),
    '.',
    ',',
    '!',
    '?',
  ]
  return vocabulary('llama', 'default', [...special, ...ordinary(pieces)], {
    'tokenizer.ggml.scores': scores(special.length + pieces.length),
    'tokenizer.ggml.bos_token_id': id(1),
    'tokenizer.ggml.eos_token_id': id(2),
    'tokenizer.ggml.unknown_token_id': id(0),
  })
}

function bytePair() {
  const special = [
    ['<|begin|>', control],
    ['<|end|>', control],
  ]
  const blank = '\u0120' // how these vocabularies write a space
  const merges = [
    't h',
    'h e',
    'th e',
    'i n',
    'e r',
    'a n',
    `${blank} t`,
    `${blank}t he`,
    `${blank} a`,
    'an d',
    `${blank}a nd`,
    `${blank} w`,
    'o n',
    'o r',
  ]
  const pieces = [
    ...letters,
    ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?'],
    blank,
    '\u010a',
    ...merges.map(pair => pair.replace(' ', '')),
  ]
  return vocabulary('gpt2', 'gpt-2', [...special, ...ordinary(pieces)], {
    'tokenizer.ggml.merges': text(merges),
    'tokenizer.ggml.bos_token_id': id(0),
    'tokenizer.ggml.eos_token_id': id(1),
    'tokenizer.ggml.add_bos_token': ['bool', false],
  })
}

function wordPiece() {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].map(token => [token, control])
  const pieces = [
    ...letters.map(letter => space + letter),
    ...letters,
    `${space}the`,
    `${space}fox`,
    `${space}and`,
    'er',
    'ing',
    'ed',
    `${space}.`,
    `${space},`,
    `${space}!`,
    `${space}?`,
  ]
  return vocabulary('bert', 'default', [...special, ...ordinary(pieces)], {
    'tokenizer.ggml.token_type_count': id(2),
    'tokenizer.ggml.unknown_token_id': id(1),
    'tokenizer.ggml.seperator_token_id': id(3),
    'tokenizer.ggml.padding_token_id': id(0),
    'tokenizer.ggml.cls_token_id': id(2),
    'tokenizer.ggml.mask_token_id': id(4),
    'tokenizer.ggml.bos_token_id': id(2),
    'tokenizer.ggml.eos_token_id': id(3),
  })
}

function unigram() {
  const special = [
    ['<pad>', control],
    ['</s>', control],
    ['<unk>', unknown],
  ]
  const pieces = [
    `${space}the`,
    'the',
    'he',
    'in',
    'er',
    'an',
    `${space}t`,
    `${space}a`,
    space,
    ...letters,
    ...letters.filter(letter => !'ta'.includes(letter)).map(letter => space + letter),
    '.',
    ',',
    '!',
    '?',
  ]
  return vocabulary('t5', 'default', [...special, ...ordinary(pieces)], {
    'tokenizer.ggml.scores': scores(special.length + pieces.length),
    'tokenizer.ggml.eos_token_id': id(1),
    'tokenizer.ggml.unknown_token_id': id(2),
    'tokenizer.ggml.padding_token_id': id(0),
    'tokenizer.ggml.add_space_prefix': ['bool', true],
    'tokenizer.ggml.remove_extra_whitespaces': ['bool', true],
    'tokenizer.ggml.add_bos_token': ['bool', false],
    'tokenizer.ggml.add_eos_token': ['bool', true],
  })
}

/** The last piece of a word ends in </w>. */
function clip() {
  const merges = ['t h', 'th e</w>', 'a n', 'an d</w>', 'i n', 'in g</w>', 'o w', 'ow l</w>']
  const pieces = [...letters, ...letters.map(letter => `${letter}</w>`), ...merges.map(pair => pair.replace(' ', ''))]
  const special = [
    ['<|startoftext|>', control],
    ['<|endoftext|>', control],
  ]
  return vocabulary('clip', 'clip', [...ordinary(pieces), ...special], {
    'tokenizer.ggml.merges': text(merges),
    'tokenizer.ggml.bos_token_id': id(pieces.length),
    'tokenizer.ggml.eos_token_id': id(pieces.length + 1),
  })
}

export const vocabularies = {
  sentencePiece: sentencePiece(),
  bytePair: bytePair(),
  wordPiece: wordPiece(),
  unigram: unigram(),
  clip: clip(),
}
