import { service } from '../../../../kernel/contract.ts'
import { Id, oneOf, optional, PageQuery, pageOf, Revision, shape, text } from '../../../../kernel/shape.ts'
import { Recordal } from '../contract.ts'
import { limits, recordalStates } from '../rules.ts'

const DeskRecordal = shape({ ...Recordal.properties, teamId: Id })

/** Where people of the store look a filing up: there is no public register that a program could ask. */
export const recordalDesk = service({
  name: 'distribute/recordal',
  prefix: '/amis/app-recordal-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'review.decide'],
  errors: {},
  calls: {
    listRecordals: {
      method: 'GET',
      path: '/manage/app-recordal/list',
      who: 'manage',
      may: 'review.read',
      summary: 'Filings that wait for a reviewer (or stand elsewhere), the oldest first',
      query: shape({ state: optional(oneOf(recordalStates)), ...PageQuery }),
      answer: pageOf(DeskRecordal),
    },
    decideRecordal: {
      method: 'PUT',
      path: '/manage/app-recordal',
      who: 'manage',
      may: 'review.decide',
      summary: 'Says what the register says of a filing; nobody decides for the own team',
      body: shape({
        appId: Id,
        verdict: oneOf(['match', 'mismatch', 'notFound', 'expire']),
        note: optional(text(limits.noteLength)),
        revision: Revision,
      }),
      answer: DeskRecordal,
    },
  },
})
