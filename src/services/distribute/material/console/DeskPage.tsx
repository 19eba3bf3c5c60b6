import './material.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { ZoneChoice } from '../../../../console/kit/ZoneChoice.tsx'
import { notify } from '../../../../console/notify.ts'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type ZoneId, zoneIds } from '../../../../kernel/zones.ts'
import { limits } from '../tests/rules.ts'
import { MaterialCard } from './MaterialCard.tsx'
import { deskApi, percentText } from './material-calls.ts'

interface At {
  zone?: ZoneId
}

const readSearch = (raw: Record<string, unknown>): { zone?: ZoneId | undefined; cursor?: string | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})

/** Tests that wait for the store, the longest waiting first. */
export default function DeskPage() {
  const { t } = useTranslation('distribute/material')
  const [{ zone }, change] = usePageSearch(readSearch)
  const [cursors, setCursors] = useState<string[]>([])
  const at: At = zone ? { zone } : {}
  const cursor = cursors.at(-1)
  const found = useCall(deskApi.listWaiting, { query: { pageSize: 10, ...(cursor && { cursor }) } }, at)
  const next = found.data?.nextCursor ?? null
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('desk.title')}
        description={t('desk.text')}
        actions={
          <ZoneChoice
            zone={zone}
            onChoose={chosen => {
              setCursors([])
              change({ zone: chosen })
            }}
          />
        }
      />
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.error && !found.data && <StatusIndicator type="loading">{t('loading')}</StatusIndicator>}
      {found.data?.list.length === 0 && <EmptyState level="h2" title={t('desk.empty')} text={t('desk.emptyText')} />}
      {found.data?.list.map(one => (
        <Waiting key={one.testId} testId={one.testId} at={at} />
      ))}
      {(cursors.length > 0 || next !== null) && (
        <SpaceBetween direction="horizontal" size="xs">
          <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('desk.before')}
          </Button>
          <Button disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
            {t('desk.next')}
          </Button>
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}

function Waiting({ testId, at }: { testId: string; at: At }) {
  const { t } = useTranslation('distribute/material')
  const [isRefusing, setRefusing] = useState(false)
  const found = useCall(deskApi.viewWaiting, { query: { testId } }, at)
  const decide = useAction(deskApi.decideTest, {
    onDone: ({ appName }) => notify({ tone: 'success', text: t('desk.passed', { name: appName }) }),
  })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { name, appName, packageName, submittedAt, elements, control, variants, allowedActions, revision } = found.data
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            <>
              {packageName ?? found.data.appId} · <When at={submittedAt} />
            </>
          }
          actions={
            <Can call={deskApi.decideTest}>
              <SpaceBetween direction="horizontal" size="xs">
                {allowedActions.includes('approve') && (
                  <Button
                    data-action="approve"
                    variant="primary"
                    loading={decide.isRunning}
                    onClick={() => void decide.run({ body: { testId, verdict: 'APPROVE', revision } }, at)}
                  >
                    {t('desk.approve')}
                  </Button>
                )}
                {allowedActions.includes('reject') && (
                  <Button data-action="reject" onClick={() => setRefusing(true)}>
                    {t('desk.reject')}
                  </Button>
                )}
              </SpaceBetween>
            </Can>
          }
        >
          <span translate="no">
            {appName} · {name}
          </span>
        </Header>
      }
    >
      <div className="material-cards">
        <MaterialCard title={t('control')} elements={elements} materials={control} />
        {variants.map(variant => (
          <MaterialCard
            key={variant.variantId}
            title={`${variant.name} · ${percentText(variant.share / 100)}`}
            elements={elements}
            materials={variant.materials}
          />
        ))}
      </div>
      {isRefusing && (
        <Refuse testId={testId} name={name} revision={revision} at={at} onClose={() => setRefusing(false)} />
      )}
    </Container>
  )
}

interface RefuseProps {
  testId: string
  name: string
  revision: number
  at: At
  onClose: () => void
}

function Refuse({ testId, name, revision, at, onClose }: RefuseProps) {
  const { t } = useTranslation('distribute/material')
  const [note, setNote] = useState('')
  const decide = useAction(deskApi.decideTest, { errors: 'form', onDone: onClose })
  return (
    <DialogBox
      title={t('desk.rejectTitle', { name })}
      verb={t('desk.reject')}
      action="reject"
      isRunning={decide.isRunning}
      canSubmit={note.trim() !== '' && note.length <= limits.noteLength}
      refusal={decide.error && errorText(decide.error)}
      onSubmit={() => void decide.run({ body: { testId, verdict: 'REJECT', note, revision } }, at)}
      onClose={onClose}
    >
      <FormField stretch label={t('desk.note')} description={t('desk.noteText')}>
        <Textarea value={note} rows={4} onChange={({ detail }) => setNote(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
