import { client } from '../../../../console/client.ts'
import { projects } from '../contract.ts'

export const api = client(projects)
