import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { apps } from '../../apps/contract.ts'
import { recordal } from '../contract.ts'
import { recordalDesk } from '../desk/contract.ts'

export const api = client(recordal)
export const desk = client(recordalDesk)
export const appCalls = client(apps)
export const fileCalls = client(files)

export type RecordalView = Answer<typeof recordal.calls.queryCheckRecordal>
export type DeskRecordalView = Answer<typeof recordalDesk.calls.decideRecordal>
