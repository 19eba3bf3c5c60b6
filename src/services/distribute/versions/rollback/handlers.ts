import { implement } from '../../../../server/implement.ts'
import { packagesOf } from '../../packages/public.ts'
import { toVersion } from '../answer.ts'
import { loadVersion, shelfVersionOf } from '../queries.ts'
import { versionRollback } from './contract.ts'
import { forwardOfBad } from './forward.ts'
import { previewRollback } from './preview.ts'
import { rollBack } from './roll-back.ts'

export default implement(versionRollback, {
  previewRollback: (ctx, { query }) => previewRollback(ctx, query.versionId),

  getForward: async (ctx, { query }) => {
    const bad = await loadVersion(ctx, query.versionId)
    const forward = await forwardOfBad(ctx, bad.versionId)
    const [pkg] = await packagesOf(ctx, forward ? [forward.pkgId] : [])
    const { versionCode, versionName } = pkg?.rebuiltFrom ?? { versionCode: null, versionName: null }
    return { forward: forward && { ...forward, versionCode, versionName } }
  },

  rollBackVersion: async (ctx, { body }) => {
    const version = await rollBack(ctx, body)
    const onShelf = await shelfVersionOf(ctx, version.appId)
    return { version: toVersion(ctx, version), onShelf: onShelf ? toVersion(ctx, onShelf) : null }
  },
})
