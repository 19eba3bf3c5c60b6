import type { Work } from '../../../server/work.ts'
import { startMemory } from './memory.ts'
import { copyFreeze, copyVersion } from './records.ts'

export default {
  start: startMemory,
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
} satisfies Work
