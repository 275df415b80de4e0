// Written by tools/contract from api/: the sliders of options.

export const sliders = {
  temperature: { label: 'Temperature', min: 0, max: 2, value: 0.8, step: 0.05 },
  topK: { label: 'Top-k', min: 0, max: 100, value: 40, step: 1 },
  topP: { label: 'Top-p', min: 0.05, max: 1, value: 0.95, step: 0.01 },
  minP: { label: 'Min-p', min: 0, max: 0.5, value: 0.05, step: 0.01 },
} as const
