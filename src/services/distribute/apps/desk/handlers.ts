import { implement } from '../../../../server/implement.ts'
import { toApp } from '../answer.ts'
import { listApps } from '../list.ts'
import { change } from '../moves.ts'
import { loadApp } from '../queries.ts'
import { appsDesk } from './contract.ts'

const staffActions = ['freeze', 'unfreeze'] as const

export default implement(appsDesk, {
  queryApps: async (ctx, { body }) => {
    const page = await listApps(ctx, body)
    return {
      ...page,
      list: page.list.map(row => {
        const app = toApp(ctx, row)
        const allowedActions = staffActions.filter(action => app.allowedActions.includes(action))
        return { ...app, teamId: row.teamId, allowedActions }
      }),
    }
  },

  freezeApp: async (ctx, { body }) => {
    const app = await loadApp(ctx, body.appId, 'update')
    const { reason } = body
    return toApp(ctx, await change(ctx, app, 'freeze', { frozenReason: reason }, { reason }))
  },

  unfreezeApp: async (ctx, { body }) => {
    const app = await loadApp(ctx, body.appId, 'update')
    return toApp(ctx, await change(ctx, app, 'unfreeze', { frozenReason: null }))
  },
})
