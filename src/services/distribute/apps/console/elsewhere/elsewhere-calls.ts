import { client } from '../../../../../console/client.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import { type NonAgApp, nonAgApps } from '../../non-ag/contract.ts'

export const nonAgCalls = client(nonAgApps)

export type NonAgView = Static<typeof NonAgApp>
