import { client } from '../../../../console/client.ts'
import { session } from '../contract.ts'

export const api = client(session)
