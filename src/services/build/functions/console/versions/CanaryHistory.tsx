import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Timeline } from '../../../../../console/kit/Timeline.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type CanaryView, canaryApi } from '../function-calls.ts'

/** What happened to a canary, the newest first; asked for when somebody looks. */
export function CanaryHistory({ canary: { functionId, canaryId } }: { canary: CanaryView }) {
  const { t } = useTranslation('build/functions')
  const [isOpen, setOpen] = useState(false)
  const found = useCall(canaryApi.getCanary, { params: { functionId, canaryId } }, { enabled: isOpen, staleTime: 0 })
  const steps = (found.data?.history ?? []).map(({ entryId, action, at, weight, calls, failures }) => ({
    id: entryId,
    title: t(`canary.moves.${action}`),
    tone: action.startsWith('abort') ? ('bad' as const) : ('info' as const),
    at,
    note: t('canary.entry', { weight, calls, failures }),
  }))
  return (
    <ExpandableSection
      variant="inline"
      headerText={t('canary.history')}
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {steps.length > 0 && <Timeline label={t('canary.history')} steps={steps} />}
    </ExpandableSection>
  )
}
