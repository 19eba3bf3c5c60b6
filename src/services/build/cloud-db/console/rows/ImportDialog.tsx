import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../schema/rules.ts'
import type { FileFormat, ImportMode } from '../../transfer/contract.ts'
import { transferApi } from '../database-calls.ts'
import { usePlaces } from './use-places.ts'

const modes: readonly ImportMode[] = ['UPSERT', 'INSERT', 'REPLACE']

/** `main-Post.csv`, or `main-Post.csv.sealed` behind a passphrase. */
function formatOf(fileName: string): FileFormat {
  const plain = fileName.replace(/\.sealed$/, '')
  return plain.endsWith('.csv') ? 'CSV' : plain.endsWith('.ndjson') ? 'NDJSON' : 'JSON'
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

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
  const [passphrase, setPassphrase] = useState('')
  const isSealed = file?.name.endsWith('.sealed') ?? false
  const format = formatOf(file?.name ?? '')
  const zoneName = zone ?? of.zone
  const typeName = type ?? of.type?.objectTypeName
  const isTooLarge = (file?.size ?? 0) > limits.importBytes
  const submit = async () => {
    const content = file === null ? '' : isSealed ? await base64Of(file) : await file.text()
    await run.run({
      body: {
        projectId,
        format,
        mode,
        dryRun,
        content,
        ...(file && { fileName: file.name }),
        ...(isSealed && { passphrase }),
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
      canSubmit={
        file !== null &&
        !isTooLarge &&
        (!isSealed || passphrase !== '') &&
        zoneName !== undefined &&
        typeName !== undefined
      }
      refusal={run.error && errorText(run.error)}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <FormField
        label={t('import.file')}
        description={t('import.fileText', { size: limits.importBytes / 1024 / 1024 })}
        errorText={isTooLarge ? t('import.tooLarge') : undefined}
      >
        <FileDrop
          label={file?.name ?? t('import.choose')}
          accept=".json,.ndjson,.csv,.sealed"
          onFiles={([taken]) => taken && setFile(taken)}
        />
      </FormField>
      {isSealed && (
        <FormField label={t('export.passphrase')}>
          <Input
            type="password"
            ariaLabel={t('export.passphrase')}
            value={passphrase}
            autoComplete="off"
            onChange={({ detail }) => setPassphrase(detail.value)}
          />
        </FormField>
      )}
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
