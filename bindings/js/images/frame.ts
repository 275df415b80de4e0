// The frame of a JPEG file: its color components, each with its own number of samples.

/** A color component. */
export interface Component {
  readonly id: number
  /** Sampling factors: how many blocks across and down this component has in each unit (MCU). */
  readonly across: number
  readonly down: number
  readonly table: number
  /** The number of visible samples across and down. */
  readonly width: number
  readonly height: number
  /** The number of stored blocks across and down; these fill whole units. */
  readonly columns: number
  readonly rows: number
  /** For a progressive image, 64 coefficients for each block, which the scans refine; otherwise empty. */
  coefficients: Int16Array
  /** The samples of all blocks, `columns * 8` in a row; empty as long as there are coefficients. */
  samples: Uint8Array
  /** The quantization factors of the component's coefficients, in the order of the file, as set at its first scan. */
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
