import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { consents } from '../consents/contract.ts'
import { agreements } from '../contract.ts'
import { developerAgreements } from '../developer/contract.ts'
import { agreementDocuments } from '../documents/contract.ts'

export const api = client(agreements)
export const consentApi = client(consents)
export const documentsApi = client(agreementDocuments)
export const developerApi = client(developerAgreements)

export type StandingView = Answer<typeof agreements.calls.query>['signInfo'][number]
export type TextView = Answer<typeof agreements.calls.templateInfo>
export type OwnView = Answer<typeof developerAgreements.calls.getAgreement>
export type SubmittedView = Answer<typeof developerAgreements.calls.getSubmitted>
export type KindView = Answer<typeof agreementDocuments.calls.listKinds>['list'][number]
export type DocumentView = Answer<typeof agreementDocuments.calls.getDocument>
