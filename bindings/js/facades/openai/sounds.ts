// The sounds of conversations: bytes in Base64, as in OpenAI's API.
import type { ContentPart } from '../../chat/types.js'
import { bytesOf } from '../addresses.js'
import { ParameterError } from './errors.js'
import { fields, oneOf, type Reader, text } from './read.js'
import { ofParts } from './unread.js'

/** `format` is checked but not used, because the bytes themselves show their format. */
const readSound = fields({
  type: text,
  input_audio: fields({ data: text, format: oneOf('wav', 'mp3') }),
  ...ofParts,
})

export const audioPart: Reader<ContentPart> = (value, param, warn) => {
  const { input_audio: sound } = readSound(value, param, warn)
  if (sound?.data === undefined) throw new ParameterError(`${param}.input_audio${sound ? '.data' : ''}`, 'missing')
  try {
    return { type: 'audio', audio: bytesOf(sound.data), part: param }
  } catch (error) {
    throw new ParameterError(`${param}.input_audio.data`, (error as Error).message)
  }
}
