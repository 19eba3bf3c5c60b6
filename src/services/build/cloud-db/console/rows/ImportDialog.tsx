import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../schema/rules.ts'
import type { FileFormat, ImportMode } from '../../transfer/contract.ts'
import { transferApi } from '../database-calls.ts'
import { usePlaces } from './use-places.ts'

const modes: readonly ImportMode[] = ['UPSERT', 'INSERT', 'REPLACE']

/** Brings rows from a file; a trial run says what it would do and which rows cannot be read. */
export function ImportDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('build/cloud-db')
  const of = usePlaces(projectId)
  const [file, setFile] = useState<File | null>(null)
  const [zone, setZone] = useState<string>()
  const [type, setType] = useState<string>()
  const [mode, setMode] = useState<ImportMode>('UPSERT')
  const [dryRun, setDryRun] = useState(true)
  const run = useAction(transferApi.importFile, { errors: 'form', onDone: onClose })
  const format: FileFormat = file?.name.endsWith('.csv') ? 'CSV' : file?.name.endsWith('.ndjson') ? 'NDJSON' : 'JSON'
  const zoneName = zone ?? of.zone
  const typeName = type ?? of.type?.objectTypeName
  const isTooLarge = (file?.size ?? 0) > limits.importBytes
  const submit = async () => {
    const content = (await file?.text()) ?? ''
    await run.run({
      body: {
        projectId,
        format,
        mode,
        dryRun,
        content,
        ...(file && { fileName: file.name }),
        ...(zoneName && { cloudDBZoneName: zoneName }),
        ...(typeName && { objectTypeName: typeName }),
      },
    })
  }
  return (
    <DialogBox
      title={t('import.title')}
      verb={t(dryRun ? 'import.try' : 'import.start')}
      action="cloudDb.import"
      isRunning={run.isRunning}
      canSubmit={file !== null && !isTooLarge && zoneName !== undefined && typeName !== undefined}
      refusal={run.error && errorText(run.error)}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <FormField
        label={t('import.file')}
        description={t('import.fileText', { size: limits.importBytes / 1024 / 1024 })}
        errorText={isTooLarge ? t('import.tooLarge') : undefined}
      >
        <input
          type="file"
          accept=".json,.ndjson,.csv"
          aria-label={t('import.file')}
          onChange={event => setFile(event.target.files?.[0] ?? null)}
        />
      </FormField>
      <FormField label={t('zones.name')}>
        <Select
          ariaLabel={t('zones.name')}
          selectedOption={zoneName === undefined ? null : { value: zoneName, label: zoneName }}
          options={of.zones.map(value => ({ value, label: value }))}
          onChange={({ detail }) => setZone(detail.selectedOption.value)}
        />
      </FormField>
      <FormField label={t('types.name')}>
        <Select
          ariaLabel={t('types.name')}
          selectedOption={typeName === undefined ? null : { value: typeName, label: typeName }}
          options={of.types.map(one => ({ value: one.objectTypeName, label: one.objectTypeName }))}
          onChange={({ detail }) => setType(detail.selectedOption.value)}
        />
      </FormField>
      <FormField label={t('import.mode')}>
        <Select
          ariaLabel={t('import.mode')}
          selectedOption={{ value: mode, label: t(`import.${mode}`) }}
          options={modes.map(value => ({ value, label: t(`import.${value}`), description: t(`import.${value}Text`) }))}
          onChange={({ detail }) => setMode(detail.selectedOption.value as ImportMode)}
        />
      </FormField>
      <Checkbox checked={dryRun} onChange={({ detail }) => setDryRun(detail.checked)} description={t('import.dryText')}>
        {t('import.dry')}
      </Checkbox>
    </DialogBox>
  )
}
