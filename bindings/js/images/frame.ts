// The frame of a JPEG file: its color components, each with its own number of samples.

/** A color component. */
export interface Component {
  readonly id: number
  /** Sampling factors: its blocks across and down in each unit (MCU), which has blocks of all components. */
  readonly across: number
  readonly down: number
  readonly table: number
  /** Visible samples. */
  readonly width: number
  readonly height: number
  /** Stored blocks: whole units. */
  readonly columns: number
  readonly rows: number
  /** For a progressive image, 64 coefficients for each block, refined by its scans; otherwise empty. */
  coefficients: Int16Array
  /** The samples of all blocks, `columns * 8` in a row; empty while there are coefficients. */
  samples: Uint8Array
  /** The factors of its coefficients, in the order of the file, as set at its first scan. */
  quantization?: Uint16Array
}

export interface Frame {
  readonly width: number
  readonly height: number
  readonly isProgressive: boolean
  /** Sampling factors of the component with most samples. */
  readonly across: number
  readonly down: number
  readonly components: readonly Component[]
}
