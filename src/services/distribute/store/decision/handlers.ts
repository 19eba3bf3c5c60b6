import { phaseBucket } from '../../../../kernel/bucketing.ts'
import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { memoryOf } from '../memory.ts'
import { decideUpdate, explainUpdate, isForced } from '../rules.ts'
import { storeDecision } from './contract.ts'

export default implement(storeDecision, {
  previewUpdate: async (ctx, { body }) => {
    const { appId, deviceId = '', isByHand = false, ...device } = body
    const { packageName } = await appOf(ctx, appId)
    const { shelf } = memoryOf(ctx.server)
    await shelf.catchUp()
    const known = packageName === null ? undefined : shelf.app(packageName)
    const offers = known?.offers.filter(one => one.appId === appId)
    const [first] = offers ?? []
    const replacement = first ? shelf.editions.replacementOf(first, device.country) : null
    const found = decideUpdate(offers, device, deviceId, isByHand)
    // Who has no copy yet begins with the edition that is shown.
    const isElsewhere = replacement !== null && device.versionCode === '0'
    const standings = explainUpdate(offers ?? [], device, deviceId, isByHand)
    return {
      result: isElsewhere ? 'OFF_SHELF' : typeof found === 'string' ? found : 'UPDATE',
      replacedBy: replacement?.packageName ?? null,
      offers: (offers ?? []).map(({ versionId, versionCode, versionName, phase, minVersionCode }, at) => {
        const standing = standings[at] ?? 'NOT_REACHED'
        return {
          ...{ versionId, versionCode, versionName, standing },
          phased: phase !== null,
          percentBp: phase?.percentBp ?? null,
          bucket: phase && deviceId !== '' ? phaseBucket(phase.salt, deviceId) : null,
          forced: standing === 'OFFERED' && !isElsewhere && isForced(minVersionCode, device.versionCode),
        }
      }),
    }
  },
})
