import './phased.css'
import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type RollbackMode, rollbackLimits, rollbackModes } from '../../rollback/rules.ts'
import { EditDialog } from '../EditDialog.tsx'
import { rollbackApi, type VersionView } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { DeviceGroups } from './DeviceGroups.tsx'
import { ForwardSteps } from './ForwardSteps.tsx'

/** The three ways back, and what the chosen one means for each group of devices, said before the button. */
export function RollBackDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, state } = version
  const [mode, setMode] = useState<RollbackMode>('STOP')
  const [targetId, setTargetId] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const found = useCall(rollbackApi.previewRollback, { query: { versionId } })
  const act = useAction(rollbackApi.rollBackVersion, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('rollback.done') })
      onClose()
    },
  })
  const way = found.data?.modes.find(one => one.mode === mode)
  // Who does not have the bad one gets with the third way what stopping gives.
  const from = mode === 'ROLL_FORWARD' ? found.data?.modes.find(one => one.mode === 'STOP') : way
  const target = from?.targets.find(one => one.versionId === targetId) ?? from?.targets[0]
  // Without a package there is no code to be higher than.
  const ways = rollbackModes.filter(one => one !== 'ROLL_FORWARD' || version.versionCode !== null)
  const used = [...reason.trim()].length
  const isLong = used >= rollbackLimits.reasonMin && used <= rollbackLimits.reasonMax
  const options = (way?.targets ?? []).map(one => ({ value: one.versionId, label: nameOf(one) }))
  return (
    <EditDialog
      title={t('rollback.title', { name: nameOf(version) })}
      verb={t('actions.rollBack')}
      action="rollBack"
      size="large"
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={isLong && way?.isPossible === true}
      onSubmit={() =>
        void act.run({
          body: { versionId, mode, reason, ...(mode === 'RESTORE' && target && { targetVersionId: target.versionId }) },
        })
      }
      onClose={onClose}
    >
      <FormField label={t('rollback.mode')}>
        <RadioGroup
          value={mode}
          onChange={({ detail }) => setMode(detail.value as RollbackMode)}
          items={ways.map(value => ({
            value,
            label: t(`rollback.modes.${value}`),
            description:
              value === 'STOP' && state === 'PHASED' ? t('rollback.stopPhased') : t(`rollback.texts.${value}`),
          }))}
        />
      </FormField>
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {mode === 'RESTORE' && options.length > 0 && (
        <FormField label={t('rollback.target')} description={t('rollback.targetText', { days: rollbackLimits.days })}>
          <Select
            selectedOption={options.find(one => one.value === target?.versionId) ?? null}
            options={options}
            onChange={({ detail }) => setTargetId(detail.selectedOption.value ?? null)}
          />
        </FormField>
      )}
      {way?.obstacle === 'noTarget' && <Alert type="error">{t('rollback.none', { days: rollbackLimits.days })}</Alert>}
      {way?.obstacle === 'noDowngrade' && <Alert type="error">{t('rollback.noDowngrade')}</Alert>}
      {found.data && way?.obstacle === 'cannotSign' && <ForwardSteps forward={found.data.forward} />}
      {way && (way.isPossible || way.obstacle === 'cannotSign') && (
        <DeviceGroups
          version={version}
          way={way}
          target={target}
          forward={found.data?.forward.versionName ?? t('rollback.older')}
        />
      )}
      {mode === 'ROLL_FORWARD' && way?.isPossible && <Alert type="info">{t('rollback.keptNumber')}</Alert>}
      {way?.isPossible && (
        <FormField
          label={t('rollback.reason')}
          constraintText={t('form.used', { used, max: rollbackLimits.reasonMax })}
          errorText={
            used > 0 && !isLong
              ? t('rollback.reasonLength', { min: rollbackLimits.reasonMin, max: rollbackLimits.reasonMax })
              : undefined
          }
        >
          <Textarea value={reason} rows={3} onChange={({ detail }) => setReason(detail.value)} />
        </FormField>
      )}
    </EditDialog>
  )
}
