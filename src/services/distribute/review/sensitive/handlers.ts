import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { sensitiveApps } from './contract.ts'
import { pageOfSensitive, setSensitive } from './sensitive.ts'

export default implement(sensitiveApps, {
  listSensitiveApps: (ctx, { query }) => pageOfSensitive(ctx, query),

  updateSensitiveApp: async (ctx, { body }) => {
    const { reason = '', ...wish } = body
    if (wish.isSensitive && !reason) throw badField('/reason', 'required', 'Say why two must agree.')
    await setSensitive(ctx, { ...wish, reason })
    return {}
  },
})
