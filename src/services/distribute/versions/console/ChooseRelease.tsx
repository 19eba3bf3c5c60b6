import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isReleaseTime, type ReleaseMode, releaseModes } from '../rules.ts'
import { EditDialog } from './EditDialog.tsx'
import { InstantField } from './InstantField.tsx'
import { useVersionEdit } from './use-version-edit.ts'
import type { VersionView } from './version-calls.ts'

const priorities = ['0', '1', '2', '3', '4', '5']

/** What follows approval: at once, by hand, or at a time. */
export function ChooseRelease({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const [mode, setMode] = useState(version.releaseMode)
  const [at, setAt] = useState(version.onShelfTime)
  const [priority, setPriority] = useState(String(version.inAppUpdatePriority))
  const [minimum, setMinimum] = useState(version.minVersionCode ?? '')
  const [noDowngrade, setNoDowngrade] = useState(version.noDowngrade)
  const { act, save } = useVersionEdit(version, onClose)
  const isTimed = mode === 'TIMED'
  const option = (value: string) => ({ value, label: t('release.priorityOf', { value }) })
  return (
    <EditDialog
      title={t('release.choose')}
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={!isTimed || (at !== null && isReleaseTime(at, Date.now()))}
      onSubmit={() =>
        void save({
          releaseMode: mode,
          inAppUpdatePriority: Number(priority),
          minVersionCode: minimum === '' ? null : minimum,
          noDowngrade,
          ...(isTimed && { onShelfTime: at }),
        })
      }
      onClose={onClose}
    >
      <FormField label={t('release.mode')}>
        <RadioGroup
          value={mode}
          onChange={({ detail }) => setMode(detail.value as ReleaseMode)}
          items={releaseModes.map(one => ({
            value: one,
            label: t(`release.modes.${one}`),
            description: t(`release.texts.${one}`),
          }))}
        />
      </FormField>
      {isTimed && <InstantField value={at} onChange={setAt} />}
      <FormField label={t('release.priority')} description={t('release.priorityText')}>
        <Select
          selectedOption={option(priority)}
          options={priorities.map(option)}
          onChange={({ detail }) => setPriority(detail.selectedOption.value ?? '0')}
        />
      </FormField>
      <FormField label={t('minimum.title')} description={t('minimum.text')}>
        <Input
          value={minimum}
          inputMode="numeric"
          placeholder={t('minimum.none')}
          onChange={({ detail }) =>
            setMinimum(
              detail.value
                .replace(/[^0-9]/g, '')
                .replace(/^0+/, '')
                .slice(0, 19),
            )
          }
        />
      </FormField>
      <FormField label={t('release.data')}>
        <Checkbox
          checked={noDowngrade}
          description={t('release.noDowngradeText')}
          onChange={({ detail }) => setNoDowngrade(detail.checked)}
        >
          {t('release.noDowngrade')}
        </Checkbox>
      </FormField>
    </EditDialog>
  )
}
