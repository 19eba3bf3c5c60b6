import { implement } from '../../../../server/implement.ts'
import { memberBulks } from './contract.ts'
import { pageOfBulks, reportOf } from './report.ts'
import { startBulk } from './start.ts'

export default implement(memberBulks, {
  changeMembers: (ctx, { body }) => startBulk(ctx, body),

  getMemberBulk: (ctx, { query }) => reportOf(ctx, query.bulkId),

  listMemberBulks: (ctx, { query }) => pageOfBulks(ctx, query),
})
