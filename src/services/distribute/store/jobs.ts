import type { Work } from '../../../server/work.ts'
import { makeDemoNumbers } from './demo.ts'
import { tellActive } from './field/active.ts'
import { storeHandover } from './handover.ts'
import { tellHealth } from './health/tell.ts'
import { startMemory } from './memory.ts'
import { tellReach } from './phased-reach.ts'
import { dropPictures, makePictures, pictureJob, startPictures } from './pictures.ts'
import { copyFreeze, copySeries, copyShelved, copyVersion, copyWithoutPictures } from './records.ts'
import { indexJob, startIndexJobs } from './repository/asking.ts'
import { askForMovedIndexes, runIndexJob } from './repository/published.ts'
import { dropOldRows } from './retention.ts'
import { checkLog } from './transparency/check.ts'

export default {
  handover: storeHandover,
  start: startMemory,
  jobs: [
    { kind: indexJob, run: runIndexJob },
    {
      kind: pictureJob,
      run: async (ctx, job) => {
        const published = await makePictures(ctx, job)
        if (published && published.version.onShelfAt !== null) {
          await copyVersion(ctx, published.app.appId, published.version.versionId)
        }
      },
    },
  ],
  listeners: [
    {
      name: 'store.pictures',
      on: ['version.submitted'],
      run: async (ctx, event) => startPictures(ctx, { versionId: event.entityId, teamId: event.teamId }),
    },
    { name: 'store.demo', on: ['app.demo_due'], run: makeDemoNumbers },
    {
      name: 'store.purge',
      on: ['app.purged'],
      run: (ctx, event) => dropPictures(ctx, event.entityId),
    },
    {
      name: 'store.versions',
      on: [
        'version.on_shelf',
        'version.superseded',
        'version.off_shelf',
        'version.forced_off',
        'version.restored',
        'version.rolled_back',
        'version.minimum.changed',
        'phased.started',
        'phased.advanced',
        'phased.paused',
        'phased.resumed',
      ],
      run: (ctx, event) => copyVersion(ctx, String(event.data['appId']), event.entityId),
    },
    {
      name: 'store.hero',
      on: ['immersive.approved', 'immersive.updated'],
      run: (ctx, event) => copyShelved(ctx, event.entityId),
    },
    {
      name: 'store.tests',
      on: ['material.approved', 'material.started', 'material.stopped', 'material.applied', 'material.deleted'],
      run: (ctx, event) => copyShelved(ctx, String(event.data['appId'])),
    },
    {
      name: 'store.series',
      on: ['series.changed'],
      run: (ctx, { entityId, data }) => {
        const { appId, appIds } = data as { appId?: string; appIds?: string[] }
        return copySeries(ctx, entityId, [...(appIds ?? []), ...(appId === undefined ? [] : [appId])])
      },
    },
    {
      name: 'store.phasedReach',
      on: ['phased.*'],
      run: tellReach,
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
    { name: 'store.pictures', every: '20 */5 * * * *', database: 'zone', run: copyWithoutPictures },
    { name: 'store.log', every: '15 */10 * * * *', database: 'home', run: checkLog },
    { name: 'store.active', every: '*/30 * * * * *', database: 'zone', run: tellActive },
    { name: 'store.health', every: '4,19,34,49 * * * * *', database: 'zone', run: tellHealth },
    { name: 'store.retention', every: '40 17 * * * *', database: 'zone', run: dropOldRows },
  ],
} satisfies Work
