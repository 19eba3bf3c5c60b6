import { implement } from '../../../../server/implement.ts'
import { toVersion } from '../answer.ts'
import { shelfVersionOf } from '../queries.ts'
import { versionRollback } from './contract.ts'
import { previewRollback } from './preview.ts'
import { rollBack } from './roll-back.ts'

export default implement(versionRollback, {
  previewRollback: (ctx, { query }) => previewRollback(ctx, query.versionId),

  rollBackVersion: async (ctx, { body }) => {
    const version = await rollBack(ctx, body)
    const onShelf = await shelfVersionOf(ctx, version.appId)
    return { version: toVersion(ctx, version), onShelf: onShelf ? toVersion(ctx, onShelf) : null }
  },
})
