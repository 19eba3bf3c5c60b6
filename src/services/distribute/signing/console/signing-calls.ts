import { client } from '../../../../console/client.ts'
import { apps } from '../../apps/contract.ts'
import { signing } from '../contract.ts'

export const api = client(signing)
export const appCalls = client(apps)

/** Which question stands open on the page. */
export type OpenDialog = 'generate' | 'import' | 'rotate' | 'discard' | 'upload'
