import './phased.css'
import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { isRecentEnough, rollbackLimits } from '../../rollback/rules.ts'
import { EditDialog } from '../EditDialog.tsx'
import { api, historyApi, rollbackApi, type VersionView } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

const modes = ['STOP', 'RESTORE'] as const
const groups = ['waiting', 'fresh', 'updated'] as const

/** What going back means for each of the three groups of devices, said before the button. */
export function RollBackDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, appId, state } = version
  const [mode, setMode] = useState<(typeof modes)[number]>('STOP')
  const [targetId, setTargetId] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const before = useCall(historyApi.listHistoryVersions, { query: { appId, pageSize: 100 } })
  const onShelf = useCall(api.getVersion, { query: { appId } }).data?.onShelf
  const act = useAction(rollbackApi.rollBackVersion, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('rollback.done') })
      onClose()
    },
  })
  const targets = (before.data?.list ?? [])
    .filter(one => one.state === 'SUPERSEDED' && isRecentEnough(one.offShelfAt, Date.now()))
    .sort((a, b) => (b.offShelfAt ?? 0) - (a.offShelfAt ?? 0))
  const isPhased = state === 'PHASED'
  const chosen = targets.find(one => one.versionId === targetId) ?? targets[0]
  const target = mode === 'STOP' && isPhased ? onShelf : mode === 'STOP' ? targets[0] : chosen
  const used = [...reason.trim()].length
  const isLong = used >= rollbackLimits.reasonMin && used <= rollbackLimits.reasonMax
  const names = { bad: nameOf(version), target: target ? nameOf(target) : '' }
  const options = targets.map(one => ({ value: one.versionId, label: nameOf(one) }))
  return (
    <EditDialog
      title={t('rollback.title', { name: nameOf(version) })}
      verb={t('actions.rollBack')}
      action="rollBack"
      size="large"
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={isLong && target !== undefined}
      onSubmit={() =>
        void act.run({
          body: { versionId, mode, reason, ...(mode === 'RESTORE' && chosen && { targetVersionId: chosen.versionId }) },
        })
      }
      onClose={onClose}
    >
      <FormField label={t('rollback.mode')}>
        <RadioGroup
          value={mode}
          onChange={({ detail }) => setMode(detail.value as (typeof modes)[number])}
          items={modes.map(value => ({
            value,
            label: t(`rollback.modes.${value}`),
            description: value === 'STOP' && isPhased ? t('rollback.stopPhased') : t(`rollback.texts.${value}`),
          }))}
        />
      </FormField>
      {mode === 'RESTORE' && targets.length > 0 && (
        <FormField label={t('rollback.target')} description={t('rollback.targetText', { days: rollbackLimits.days })}>
          <Select
            selectedOption={options.find(one => one.value === chosen?.versionId) ?? null}
            options={options}
            onChange={({ detail }) => setTargetId(detail.selectedOption.value ?? null)}
          />
        </FormField>
      )}
      {target ? (
        <dl className="phased-groups">
          {groups.map(group => (
            <div key={group}>
              <dt>{t(`rollback.groups.${group}`)}</dt>
              <dd>{t(`rollback.means.${group}`, names)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        before.data && <Alert type="error">{t('rollback.none', { days: rollbackLimits.days })}</Alert>
      )}
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
    </EditDialog>
  )
}
