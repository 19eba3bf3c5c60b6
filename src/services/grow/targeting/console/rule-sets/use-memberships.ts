import { useCall } from '../../../../../console/use-call.ts'
import { unitOf } from '../../../../../kernel/targeting/bucket.ts'
import { compile } from '../../../../../kernel/targeting/evaluate.ts'
import { lowered } from '../../audiences/rules.ts'
import { unitAttributes } from '../../rules.ts'
import { audiencesApi } from '../targeting-calls.ts'

/** In which audiences the unit of a typed context is, as the server would say; in none while that is asked. */
export function useMemberships(projectId: string, attributes: Record<string, unknown> | null) {
  const unit = unitAttributes.map(name => unitOf(attributes?.[name])).find(one => one !== undefined) ?? ''
  const known = useCall(audiencesApi.listAudiences, { query: { projectId, pageSize: 100 } })
  const found = useCall(
    audiencesApi.listAudiencesOfUnit,
    { query: { projectId, unit } },
    { enabled: unit !== '', keepBefore: true },
  )
  const held = new Set(unit === '' ? [] : found.data?.audienceIds)
  const inRealTime = (known.data?.list ?? []).filter(one => one.refreshEvery === 'realtime')
  for (const { audienceId, rule } of inRealTime) {
    if (rule && attributes && compile(lowered(rule).rule).matches({ attributes, now: Date.now() })) held.add(audienceId)
  }
  return (id: string) => held.has(id)
}
