import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../console/use-action.ts'
import { isReleaseTime } from '../rules.ts'
import { EditDialog } from './EditDialog.tsx'
import { InstantField } from './InstantField.tsx'
import { api, type VersionView } from './version-calls.ts'

const changes = { whenApproved: 2, atTime: 3 } as const
type Change = keyof typeof changes

/** Another release time, or none: out as soon as it is approved. */
export function ChangeTimeDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision, state } = version
  // Approved versions are released by their own button.
  const offered: Change[] = state === 'PENDING_RELEASE' ? ['atTime'] : ['whenApproved', 'atTime']
  const [change, setChange] = useState<Change>('atTime')
  const [at, setAt] = useState(version.onShelfTime)
  const act = useAction(api.updateReleaseTime, { onDone: onClose, errors: 'form' })
  const isTimed = change === 'atTime'
  return (
    <EditDialog
      title={t('ask.changeTime')}
      verb={t('actions.changeTime')}
      action="changeTime"
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={!isTimed || (at !== null && isReleaseTime(at, Date.now()))}
      onSubmit={() =>
        void act.run(
          { body: { versionId, changeType: changes[change], ...(isTimed && at !== null && { releaseTime: at }) } },
          { revision },
        )
      }
      onClose={onClose}
    >
      {offered.length > 1 && (
        <FormField label={t('release.mode')}>
          <RadioGroup
            value={change}
            onChange={({ detail }) => setChange(detail.value as Change)}
            items={offered.map(value => ({ value, label: t(`time.changes.${value}`) }))}
          />
        </FormField>
      )}
      {isTimed && <InstantField value={at} onChange={setAt} />}
    </EditDialog>
  )
}
