import './material.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { limits } from '../tests/rules.ts'
import { MaterialCard } from './MaterialCard.tsx'
import { api, appsApi, languageText, percentText, type TestView, tones, type VariantView } from './material-calls.ts'
import { ResultPanel } from './ResultPanel.tsx'
import { TestActions } from './TestActions.tsx'
import { VariantDialog } from './VariantDialog.tsx'

/** A test: where it stands, what its variants show, and what was found. */
export default function TestPage() {
  const { t } = useTranslation('distribute/material')
  const appId = usePageParam('appId')
  const testId = usePageParam('testId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  const found = useCall(api.getTest, { query: { testId } })
  useCrumbName('/apps/$appId', app.data?.name)
  useAppOnScreen(app.data)
  useCrumbName('/apps/$appId/material-tests/$testId', found.data?.name)
  const failed = [app, found].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const test = found.data
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={test.name}
        description={t('page.text')}
        status={<StatusBadge tone={tones[test.state]} text={t(`states.${test.state}`)} />}
        actions={<TestActions test={test} />}
      />
      {test.state === 'AUDIT_REJECTED' && test.note !== null && (
        <Alert type="error" header={t('page.rejected')}>
          {test.note}
        </Alert>
      )}
      {test.stopReason !== null && <Alert type="info">{t(`stopReasons.${test.stopReason}`)}</Alert>}
      <Facts test={test} />
      <Variants test={test} deviceType={app.data.deviceTypes[0] ?? 4} />
      {test.startedAt !== null && <ResultPanel testId={testId} />}
    </SpaceBetween>
  )
}

function Facts({ test }: { test: TestView }) {
  const { t } = useTranslation('distribute/material')
  const items = [
    { label: t('field.elements'), value: test.elements.map(one => t(`elements.${one}`)).join(', ') },
    { label: t('field.langs'), value: test.langs.map(languageText).join(', ') },
    { label: t('field.countries'), value: test.countries.join(', ') || t('page.everywhere') },
    { label: t('field.traffic'), value: percentText(test.trafficPercent / 100) },
    { label: t('field.metric'), value: t(`metrics.${test.metric}`) },
    { label: t('field.change'), value: percentText(test.mde) },
    { label: t('field.confidence'), value: percentText(test.confidence) },
    { label: t('field.startMode'), value: t(`startModes.${test.startMode}`) },
    { label: t('field.length'), value: t('page.length', { from: test.minDays, to: test.maxDays }) },
    ...(test.startedAt === null ? [] : [{ label: t('field.started'), value: <When at={test.startedAt} /> }]),
    ...(test.stoppedAt === null ? [] : [{ label: t('field.stopped'), value: <When at={test.stoppedAt} /> }]),
  ]
  return (
    <Container header={<Header variant="h2">{t('page.facts')}</Header>}>
      <KeyValuePairs columns={4} items={items} />
    </Container>
  )
}

function Variants({ test, deviceType }: { test: TestView; deviceType: number }) {
  const { t } = useTranslation('distribute/material')
  const [open, setOpen] = useState<VariantView | 'new' | null>(null)
  const remove = useAction(api.deleteVariant)
  const canEdit = test.allowedActions.includes('edit')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('variant.control', { share: percentText(test.controlShare / 100) })}
          actions={
            canEdit &&
            test.variants.length < limits.variants && (
              <Button data-action="createVariant" onClick={() => setOpen('new')}>
                {t('variant.add')}
              </Button>
            )
          }
        >
          {t('variant.title')}
        </Header>
      }
    >
      {test.variants.length === 0 && <EmptyState title={t('variant.none')} text={t('variant.noneText')} />}
      <div className="material-cards">
        {test.control.length > 0 && (
          <MaterialCard title={t('control')} elements={test.elements} materials={test.control} />
        )}
        {test.variants.map(variant => (
          <div key={variant.variantId}>
            <MaterialCard
              title={`${variant.name} · ${percentText(variant.share / 100)}`}
              elements={test.elements}
              materials={variant.materials}
            />
            {canEdit && (
              <SpaceBetween direction="horizontal" size="xs">
                <Button data-action="updateVariant" onClick={() => setOpen(variant)}>
                  {t('action.edit')}
                </Button>
                <Button
                  data-action="deleteVariant"
                  loading={remove.isRunning}
                  onClick={() => void remove.run({ query: { variantId: variant.variantId } })}
                >
                  {t('action.remove')}
                </Button>
              </SpaceBetween>
            )}
          </div>
        ))}
      </div>
      {open && (
        <VariantDialog
          test={test}
          variant={open === 'new' ? null : open}
          deviceType={deviceType}
          onClose={() => setOpen(null)}
        />
      )}
    </Container>
  )
}
