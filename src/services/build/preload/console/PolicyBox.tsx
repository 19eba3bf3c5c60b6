import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { BarList } from '../../../../console/kit/BarList.tsx'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import type { Kind } from '../rules.ts'
import { api, type PolicyView } from './preload-calls.ts'

interface PolicyBoxProps {
  kind: Kind
  policy: PolicyView | null
  onEdit: () => void
  onDelete: () => void
}

/** One time at which devices ask: where the answer comes from and how it went in a day. */
export function PolicyBox({ kind, policy, onEdit, onDelete }: PolicyBoxProps) {
  const { t } = useTranslation('build/preload')
  const actions = (
    <SpaceBetween direction="horizontal" size="xs">
      {policy && (
        <Can call={api.deletePolicy}>
          <Button onClick={onDelete}>{t('delete')}</Button>
        </Can>
      )}
      <Can call={policy ? api.updatePolicy : api.createPolicy}>
        <Button data-action={`edit-${kind}`} onClick={onEdit}>
          {policy ? t('edit') : t('setUp')}
        </Button>
      </Can>
    </SpaceBetween>
  )
  return (
    <Container
      header={
        <Header variant="h2" description={t(`kindTexts.${kind}`)} actions={actions}>
          {t(`kinds.${kind}`)}
        </Header>
      }
    >
      {policy ? <Settings policy={policy} /> : <Box color="text-body-secondary">{t('none')}</Box>}
    </Container>
  )
}

function Settings({ policy }: { policy: PolicyView }) {
  const { t } = useTranslation('build/preload')
  const { source, functionName, qualifier, url, isEnabled, cacheTtlSec, timeoutSec, today } = policy
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={3}
        items={[
          {
            label: t('state'),
            value: <StatusBadge tone={isEnabled ? 'good' : 'off'} text={t(isEnabled ? 'on' : 'off')} />,
          },
          {
            label: t(`sources.${source}`),
            value: <span translate="no">{source === 'FUNCTION' ? `${functionName}:${qualifier}` : url}</span>,
          },
          { label: t('lastAsked'), value: <Last policy={policy} /> },
          { label: t('cacheTtl'), value: t('seconds', { count: cacheTtlSec }) },
          { label: t('timeout'), value: t('seconds', { count: timeoutSec }) },
          { label: t('p95'), value: today.requests === 0 ? '–' : t('ms', { value: today.p95Ms }) },
          { label: t('bytes'), value: <ByteSize value={today.bytes} /> },
        ]}
      />
      {today.requests > 0 && <Day policyId={policy.policyId} />}
    </SpaceBetween>
  )
}

function Last({ policy: { lastAskedAt, lastStatus, lastProblem } }: { policy: PolicyView }) {
  const { t } = useTranslation('build/preload')
  if (lastAskedAt === null) return t('never')
  return (
    <>
      <StatusBadge tone={lastProblem === null ? 'good' : 'bad'} text={String(lastStatus)} /> <When at={lastAskedAt} />
      {lastProblem !== null && (
        <div className="lg-quiet" translate="no">
          {lastProblem}
        </div>
      )}
    </>
  )
}

function Day({ policyId }: { policyId: string }) {
  const { t, i18n } = useTranslation('build/preload')
  const found = useCall(api.getStatistics, { query: { policyId, hours: 24 } })
  const points = found.data?.points ?? []
  const bars = (['hits', 'stale', 'misses', 'errors'] as const).map(id => ({
    ...{ id, label: t(`outcomes.${id}`) },
    value: points.reduce((sum, point) => sum + point[id], 0),
  }))
  return (
    <div>
      <Box variant="awsui-key-label">{t('day')}</Box>
      <BarList label={t('day')} bars={bars} language={i18n.language} />
    </div>
  )
}
