// The image of a JPEG file: its colors, each with its own number of samples.

/** One color of an image. */
export interface Component {
  readonly id: number
  /** Sampling factors: blocks across and down in a unit of all colors. */
  readonly across: number
  readonly down: number
  readonly table: number
  /** Samples that are seen. */
  readonly width: number
  readonly height: number
  /** Blocks that are stored: whole units. */
  readonly columns: number
  readonly rows: number
  /** 64 coefficients for each block of a progressive image, whose scans add to them; empty for others. */
  coefficients: Int16Array
  /** The samples of all blocks, `columns * 8` in a row; empty while there are coefficients. */
  samples: Uint8Array
  /** By which its coefficients are multiplied, in the order of the file: those at its first scan. */
  quantization?: Uint16Array
}

export interface Frame {
  readonly width: number
  readonly height: number
  readonly isProgressive: boolean
  /** Sampling factors of the color with most samples. */
  readonly across: number
  readonly down: number
  readonly components: readonly Component[]
}
