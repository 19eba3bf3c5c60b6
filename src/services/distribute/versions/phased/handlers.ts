import { refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { noHealth, readingOf } from '../gates/rules.ts'
import { loadLocked, loadVersion } from '../queries.ts'
import { toPhased } from './answer.ts'
import { changePhased } from './change.ts'
import { versionPhased } from './contract.ts'
import { pageOfChanges, phasedOf } from './queries.ts'
import { percentOf } from './rules.ts'

export default implement(versionPhased, {
  updatePhasedRelease: async (ctx, { body }) => {
    const { app, version } = await loadLocked(ctx, body.versionId)
    const row = await phasedOf(ctx, version.versionId)
    if (!row) refuse(versionPhased.errors.notRunning, { state: 'NONE', action: 'change', allowedActions: [] })
    return toPhased(ctx, await changePhased(ctx, app, version, row, body))
  },

  listPhasedChanges: async (ctx, { query }) => {
    const { versionId } = await loadVersion(ctx, query.versionId)
    const row = await phasedOf(ctx, versionId)
    const page = await pageOfChanges(ctx, versionId, query)
    const actorIds = [...new Set(page.list.map(one => one.actorId).filter(id => id !== null))]
    const names = new Map((await accountsOf(ctx, actorIds)).map(one => [one.accountId, one.name]))
    return {
      ...page,
      phased: row ? toPhased(ctx, row) : null,
      list: page.list.map(one => ({
        ...one,
        percent: percentOf(one.percentBp),
        crashRate:
          one.users === null
            ? null
            : readingOf('crashRate', { ...noHealth, users: one.users, crashed: one.crashed ?? 0 }).value,
        actor: one.actorId === null ? null : (names.get(one.actorId) ?? one.actorId),
      })),
    }
  },
})
