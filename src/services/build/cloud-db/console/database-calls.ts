import { client } from '../../../../console/client.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { cloudDb } from '../contract.ts'
import { cloudDbKept } from '../kept/contract.ts'
import { cloudDbObjects } from '../objects/contract.ts'
import { cloudDbTransfer } from '../transfer/contract.ts'

export const databaseApi = client(cloudDb)
export const rowsApi = client(cloudDbObjects)
export const keptApi = client(cloudDbKept)
export const transferApi = client(cloudDbTransfer)
export const projectsApi = client(projects)

/** A row as the grid has it. */
export type GridRow = Record<string, unknown>
