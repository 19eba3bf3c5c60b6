import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { limits } from '../schema/rules.ts'
import { databaseApi } from './database-calls.ts'

/** How long deleted rows can be brought back; fewer days are confirmed with the rows that go. */
export function RetentionPanel({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.getRetentionPeriod, { query: { projectId } })
  const [days, setDays] = useState<string | null>(null)
  const [purged, setPurged] = useState<number | null>(null)
  const close = () => {
    setDays(null)
    setPurged(null)
  }
  const save = useAction(databaseApi.setRetentionPeriod, { errors: 'form', onDone: close })
  if (!found.data) return null
  const wanted = Number(days ?? found.data.days)
  const isDays = Number.isInteger(wanted) && wanted >= 0 && wanted <= limits.retentionDays
  const send = (confirm?: number) =>
    save.run({
      body: {
        projectId,
        enabled: wanted > 0,
        ...(wanted > 0 && { days: wanted }),
        ...(confirm !== undefined && { confirm }),
      },
    })
  const submit = async () => {
    const answer = await send()
    if (!answer) setPurged(found.data?.deletedRows ?? 0)
  }
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            may('cloudDb.edit') && (
              <Button onClick={() => setDays(String(found.data?.days ?? 0))}>{t('bin.change')}</Button>
            )
          }
        >
          {t('bin.title')}
        </Header>
      }
    >
      {found.data.enabled ? t('bin.on', { count: found.data.days }) : t('bin.off')}{' '}
      {t('bin.rows', { count: found.data.deletedRows })}
      {days !== null && purged === null && (
        <DialogBox
          title={t('bin.title')}
          isRunning={save.isRunning}
          canSubmit={isDays}
          onClose={close}
          onSubmit={() => void submit()}
        >
          <FormField label={t('bin.days')} constraintText={t('bin.daysHint', { limit: limits.retentionDays })}>
            <Input type="number" inputMode="numeric" value={days} onChange={({ detail }) => setDays(detail.value)} />
          </FormField>
        </DialogBox>
      )}
      {purged !== null && (
        <ConfirmByName
          title={t('bin.title')}
          name={String(Number(rowsOf(save.error?.message) ?? purged))}
          verb={t('bin.purge')}
          isRunning={save.isRunning}
          onCancel={close}
          onConfirm={() => void send(Number(rowsOf(save.error?.message) ?? purged))}
        >
          {save.error ? errorText(save.error) : t('bin.purge')}
        </ConfirmByName>
      )}
    </Container>
  )
}

/** The number of rows that the refusal names. */
const rowsOf = (message: string | undefined): string | undefined => /^(\d+)/.exec(message ?? '')?.[1]
