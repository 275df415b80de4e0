// dist/heed-microphone.js: runs in an AudioWorklet; sends the samples of the first channel to the page, a tenth of a second at a time.
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void
declare const sampleRate: number

class Microphone extends AudioWorkletProcessor {
  #piece = new Float32Array(sampleRate / 10)
  #count = 0

  process([input]: readonly Float32Array[][]): boolean {
    const samples = input?.[0] ?? new Float32Array(128) // a microphone without samples is silent
    for (const sample of samples) {
      this.#piece[this.#count++] = sample
      if (this.#count < this.#piece.length) continue
      this.port.postMessage(this.#piece, [this.#piece.buffer])
      this.#piece = new Float32Array(sampleRate / 10)
      this.#count = 0
    }
    return true
  }
}

registerProcessor('heed-microphone', Microphone)
