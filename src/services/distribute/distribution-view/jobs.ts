import { eq } from 'drizzle-orm'
import type { Work } from '../../../server/work.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { immersiveNotices } from './immersive/notices.ts'
import { immersivePictures } from './tables.ts'

export default {
  handover: { rows: [{ table: 'immersive_pictures', files: ['object_id', 'passed'] }] },
  listeners: [
    immersiveNotices,
    {
      name: 'immersive.purge',
      on: ['app.purged'],
      run: async (ctx, event) => {
        const [gone] = await ctx.db
          .delete(immersivePictures)
          .where(eq(immersivePictures.appId, event.entityId))
          .returning()
        const held = [gone?.objectId, gone?.passed?.objectId].filter(one => one != null)
        if (held.length > 0) await releaseObjects(ctx, held)
      },
    },
  ],
} satisfies Work
