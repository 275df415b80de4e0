// Written by tools/contract from api/: the ranges and defaults of options that have a slider.

export const ranges = {
  temperature: { least: 0, standard: 0.8 },
  topK: { least: 0, standard: 40 },
  topP: { above: 0, most: 1, standard: 0.95 },
  minP: { least: 0, below: 1, standard: 0.05 },
} as const
