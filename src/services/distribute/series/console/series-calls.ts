import { client } from '../../../../console/client.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { type Series, series } from '../contract.ts'
import { cutovers } from '../cutover/contract.ts'

export const api = client(series)
export const cutoverApi = client(cutovers)
export type SeriesView = Static<typeof Series>

/** The country codes in what somebody typed, each once. */
export const countryCodes = (text: string) => [...new Set(text.toUpperCase().match(/\b[A-Z]{2}\b/g) ?? [])].sort()
