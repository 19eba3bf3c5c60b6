import { client } from '../../../../../console/client.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { deviceCalls } from '../../devices/contract.ts'
import { factorCalls } from '../../factors/contract.ts'
import { realNameCalls } from '../../real-names/contract.ts'

export const factorApi = client(factorCalls)
export const deviceApi = client(deviceCalls)
export const realNameApi = client(realNameCalls)

export type RealNameView = Answer<(typeof realNameCalls)['calls']['getRealName']>
