import type { Answer } from '../../../../../kernel/contract.ts'
import type { accountCalls } from '../../accounts/contract.ts'
import type { deletionCalls } from '../../deletion/contract.ts'
import type { providerCalls } from '../../providers/contract.ts'
import type { realNameCalls } from '../../real-names/contract.ts'

export type ProviderView = Answer<(typeof providerCalls)['calls']['listProviders']>['list'][number]
export type AccountView = Answer<(typeof accountCalls)['calls']['listAccounts']>['list'][number]
export type CaseView = Answer<(typeof realNameCalls)['calls']['listRealNames']>['list'][number]
export type DeletionView = Answer<(typeof deletionCalls)['calls']['listDeletions']>['list'][number]
