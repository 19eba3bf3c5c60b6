import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { Timeline } from '../../../../console/kit/Timeline.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { historyApi, type VersionView } from './version-calls.ts'
import { pastSteps, pictureOf } from './version-life.ts'

/** The life of a version as a picture: the last steps and those to come; all of them with their reasons below. */
export function LifePanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId } = version
  const found = useCall(historyApi.getHistoryVersion, { query: { versionId } }, { keepBefore: true })
  const refetch = useEffectEvent(() => void found.refetch())
  // The version is asked for again and again while the store works on it; its history only when something moved.
  const isBehind = found.data !== undefined && found.data.version.revision < version.revision
  useEffect(() => {
    if (isBehind) refetch()
  }, [isBehind])

  return (
    <Container header={<Header variant="h2">{t('life.title')}</Header>}>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {found.data && (
        <SpaceBetween size="s">
          <Timeline label={t('life.title')} steps={pictureOf(t, found.data.timeline, version)} direction="across" />
          <ExpandableSection headerText={t('life.all', { count: found.data.timeline.length })}>
            <Timeline label={t('life.allLabel')} steps={pastSteps(t, found.data.timeline)} />
          </ExpandableSection>
        </SpaceBetween>
      )}
    </Container>
  )
}
