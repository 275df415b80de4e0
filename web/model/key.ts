// Identifies a model in saved records.
import type { Model } from 'heed'

export const keyOf = ({ info }: Model): string => `${info.name} ${info.fileBytes}`
