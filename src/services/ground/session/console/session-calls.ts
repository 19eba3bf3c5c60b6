import { client } from '../../../../console/client.ts'
import { accountCalls } from '../accounts/contract.ts'
import { session } from '../contract.ts'
import { deletionCalls } from '../deletion/contract.ts'
import { passwordCalls } from '../passwords/contract.ts'
import { providerCalls } from '../providers/contract.ts'

export const api = client(session)
export const accountApi = client(accountCalls)
export const deletionApi = client(deletionCalls)
export const passwordApi = client(passwordCalls)
export const providerApi = client(providerCalls)
