import { client } from '../../../../console/client.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { type Member, teams } from '../contract.ts'

export const api = client(teams)
export type MemberView = Static<typeof Member>
