import { implement } from '../../../../server/implement.ts'
import { versionBulks } from './contract.ts'
import { pageOfBulks, reportOf } from './report.ts'
import { startBulk } from './start.ts'

export default implement(versionBulks, {
  submitVersions: (ctx, { body }) => startBulk(ctx, { ...body, action: 'submit' }),

  withdrawVersions: (ctx, { body }) => startBulk(ctx, { ...body, action: 'withdraw' }),

  shelfOffVersions: (ctx, { body }) => startBulk(ctx, { ...body, action: 'shelfOff' }),

  getBulk: (ctx, { query }) => reportOf(ctx, query.bulkId),

  listBulks: (ctx, { query }) => pageOfBulks(ctx, query),
})
