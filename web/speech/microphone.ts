// Opens the microphone as recognition needs it, and says in plain words why it could not.

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'The microphone was refused. To record, allow it for this page in the browser’s settings of the site.',
  NotFoundError: 'No microphone was found.',
  NotReadableError: 'The microphone cannot be read: another program may be using it.',
}

/** Throws an Error whose message is a sentence for the user. */
export async function openMicrophone(): Promise<MediaStream> {
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices)
    throw new Error('Browsers give the microphone only to pages whose address begins with https:// or is on this machine.')
  try {
    // Unprocessed: filters that make a call sound better make words harder to recognize.
    return await devices.getUserMedia({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } })
  } catch (cause) {
    const { name, message } = cause as Error
    throw new Error(reasons[name] ?? `The microphone could not be opened: ${message}.`, { cause })
  }
}
