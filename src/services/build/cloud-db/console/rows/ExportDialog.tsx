import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { type FileFormat, fileFormats, leastPassphrase } from '../../transfer/contract.ts'
import { transferApi } from '../database-calls.ts'
import { usePlaces } from './use-places.ts'

/** Writes rows into files, one for each type and data zone. */
export function ExportDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('build/cloud-db')
  const of = usePlaces(projectId)
  const [chosenZones, setZones] = useState<readonly string[] | null>(null)
  const [types, setTypes] = useState<readonly string[]>([])
  // Where there is one zone, it is meant.
  const zones = chosenZones ?? (of.zones.length === 1 ? of.zones : [])
  const [format, setFormat] = useState<FileFormat>('JSON')
  const [encrypt, setEncrypt] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const run = useAction(transferApi.exportFile, { errors: 'form', onDone: onClose })
  const options = (names: readonly string[]) => names.map(value => ({ value, label: value }))
  return (
    <DialogBox
      title={t('export.title')}
      verb={t('export.start')}
      action="cloudDb.export"
      isRunning={run.isRunning}
      canSubmit={zones.length > 0 && types.length > 0 && (!encrypt || passphrase.length >= leastPassphrase)}
      refusal={run.error && errorText(run.error)}
      onClose={onClose}
      onSubmit={() =>
        void run.run({
          body: {
            ...{ projectId, zones: [...zones], types: [...types], format },
            ...(encrypt && { encrypt, passphrase }),
          },
        })
      }
    >
      <FormField label={t('tabs.zones')}>
        <Multiselect
          ariaLabel={t('tabs.zones')}
          placeholder={t('export.choose')}
          deselectAriaLabel={one => t('export.leaveOut', { name: one.label })}
          selectedOptions={options(zones)}
          options={options(of.zones)}
          onChange={({ detail }) => setZones(detail.selectedOptions.map(one => one.value ?? ''))}
        />
      </FormField>
      <FormField label={t('tabs.types')}>
        <Multiselect
          ariaLabel={t('tabs.types')}
          placeholder={t('export.choose')}
          deselectAriaLabel={one => t('export.leaveOut', { name: one.label })}
          selectedOptions={options(types)}
          options={options(of.types.map(one => one.objectTypeName))}
          onChange={({ detail }) => setTypes(detail.selectedOptions.map(one => one.value ?? ''))}
        />
      </FormField>
      <FormField label={t('export.format')} description={t('export.text')}>
        <Select
          ariaLabel={t('export.format')}
          selectedOption={{ value: format, label: format }}
          options={options(fileFormats)}
          onChange={({ detail }) => setFormat(detail.selectedOption.value as FileFormat)}
        />
      </FormField>
      <Checkbox checked={encrypt} onChange={({ detail }) => setEncrypt(detail.checked)}>
        {t('export.encrypt')}
      </Checkbox>
      {encrypt && (
        <FormField label={t('export.passphrase')} description={t('export.passphraseText', { least: leastPassphrase })}>
          <Input
            type="password"
            ariaLabel={t('export.passphrase')}
            value={passphrase}
            autoComplete="new-password"
            onChange={({ detail }) => setPassphrase(detail.value)}
          />
        </FormField>
      )}
    </DialogBox>
  )
}
