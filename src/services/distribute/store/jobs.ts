import type { Work } from '../../../server/work.ts'
import { tellActive } from './field/active.ts'
import { startMemory } from './memory.ts'
import { copyFreeze, copyVersion } from './records.ts'
import { indexJob, startIndexJobs } from './repository/asking.ts'
import { askForMovedIndexes, runIndexJob } from './repository/published.ts'
import { dropOldRows } from './retention.ts'
import { checkLog } from './transparency/check.ts'

export default {
  start: startMemory,
  jobs: [{ kind: indexJob, run: runIndexJob }],
  listeners: [
    {
      name: 'store.versions',
      on: ['version.on_shelf', 'version.superseded', 'version.off_shelf', 'version.forced_off', 'version.restored'],
      run: (ctx, event) => copyVersion(ctx, String(event.data['appId']), event.entityId),
    },
    {
      name: 'store.freezes',
      on: ['app.frozen', 'app.unfrozen'],
      run: (ctx, event) => copyFreeze(ctx, event.entityId),
    },
  ],
  sweeps: [
    {
      name: 'store.index',
      every: '*/30 * * * * *',
      database: 'home',
      run: async ctx => {
        await askForMovedIndexes(ctx)
        await startIndexJobs(ctx)
      },
    },
    { name: 'store.log', every: '15 */10 * * * *', database: 'home', run: checkLog },
    { name: 'store.active', every: '*/30 * * * * *', database: 'zone', run: tellActive },
    { name: 'store.retention', every: '40 17 * * * *', database: 'zone', run: dropOldRows },
  ],
} satisfies Work
