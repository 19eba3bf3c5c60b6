import { client } from '../../../../console/client.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { type Series, series } from '../contract.ts'

export const api = client(series)
export type SeriesView = Static<typeof Series>
