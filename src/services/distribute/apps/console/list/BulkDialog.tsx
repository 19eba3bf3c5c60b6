import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { limitsOf } from '../../../../../console/kit/form-rules.ts'
import { teamZone } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { versionBulks } from '../../../versions/bulk/contract.ts'
import { bulkCalls, submissionCalls } from '../app-calls.ts'
import type { BulkAction } from './bulk-choices.ts'
import { ReleaseChoiceField } from './ReleaseChoiceField.tsx'

interface BulkDialogProps {
  action: BulkAction
  versionIds: string[]
  names: readonly string[]
  zone: ZoneId
  onClose: () => void
  onDone: () => void
}

const asks = { submit: 'askSubmit', together: 'askTogether', withdraw: 'askWithdraw', shelfOff: 'askShelfOff' } as const
const leastReason = limitsOf(versionBulks.calls.shelfOffVersions.body, 'reason')?.minLength ?? 1

/** Asks once for all of them, and goes to the report. */
export function BulkDialog({ action, versionIds, names, zone, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation('distribute/apps')
  const go = useGo()
  const [said, setSaid] = useState('')
  const [release, setRelease] = useState<'EACH' | 'TOGETHER'>('EACH')
  const report = {
    errors: 'form' as const,
    onDone: (answer: { bulkId: string }) => leave('/bulk/$bulkId', { bulkId: answer.bulkId }),
  }
  const submit = useAction(bulkCalls.submitVersions, report)
  const withdraw = useAction(bulkCalls.withdrawVersions, report)
  const shelfOff = useAction(bulkCalls.shelfOffVersions, report)
  const together = useAction(submissionCalls.createSubmission, {
    errors: 'form',
    onDone: answer => leave('/apps/$appId/submission', { appId: answer.appId }, { submissionId: answer.submissionId }),
  })
  const leave = (path: string, params: Record<string, string>, search?: Record<string, string>) => {
    onDone()
    go(path, params, { ...(zone !== teamZone() && { zone }), ...search })
  }
  const act = { submit, withdraw, shelfOff, together }[action]
  const at = { zone }
  const run = () => {
    if (action === 'submit') return submit.run({ body: { versionIds } }, at)
    if (action === 'withdraw') return withdraw.run({ body: { versionIds } }, at)
    if (action === 'shelfOff') return shelfOff.run({ body: { versionIds, reason: said } }, at)
    return together.run({ body: { versionIds, release, ...(said.trim() && { title: said.trim() }) } }, at)
  }
  const isMissing = action === 'shelfOff' && said.trim().length < leastReason
  return (
    <Modal
      visible
      header={t(`bulk.${asks[action]}`)}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button variant="primary" disabled={isMissing} loading={act.isRunning} onClick={() => void run()}>
              {t('bulk.go')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <p className="apps-bulk-names">{names.join(', ')}</p>
        {action === 'together' && <p className="apps-bulk-names">{t('bulk.togetherText')}</p>}
        {action === 'together' && (
          <>
            <FormField label={t('bulk.name')}>
              <Input value={said} onChange={({ detail }) => setSaid(detail.value)} />
            </FormField>
            {versionIds.length > 1 && <ReleaseChoiceField value={release} onChange={setRelease} />}
          </>
        )}
        {action === 'shelfOff' && (
          <FormField label={t('bulk.reason')}>
            <Textarea value={said} rows={3} onChange={({ detail }) => setSaid(detail.value)} />
          </FormField>
        )}
        {act.error && <Alert type="error">{errorText(act.error)}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
