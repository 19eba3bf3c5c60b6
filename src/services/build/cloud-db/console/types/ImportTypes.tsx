import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { ObjectType } from '../../schema/contract.ts'
import { databaseApi } from '../database-calls.ts'

/** Adds the types of a file; those that are there stay. */
export function ImportTypes({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('build/cloud-db')
  const [types, setTypes] = useState<ObjectType[] | null>(null)
  const [fileName, setFileName] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = useAction(databaseApi.importObjectType, {
    errors: 'form',
    onDone: answer => answer.errors.length === 0 && onClose(),
  })
  const [answer, setAnswer] = useState<{ errors: { objectTypeName: string; message: string }[] } | null>(null)
  const read = async (file: File | undefined) => {
    setProblem(null)
    setFileName(file?.name ?? null)
    try {
      const { objectTypes } = JSON.parse((await file?.text()) ?? '') as { objectTypes: ObjectType[] }
      setTypes(Array.isArray(objectTypes) ? objectTypes : null)
      if (!Array.isArray(objectTypes)) setProblem(t('types.importUnreadable'))
    } catch {
      setProblem(t('types.importUnreadable'))
    }
  }
  return (
    <DialogBox
      title={t('types.import')}
      verb={t('types.import')}
      isRunning={run.isRunning}
      canSubmit={types !== null}
      refusal={problem ?? (run.error && errorText(run.error))}
      onClose={onClose}
      onSubmit={() =>
        void run.run({ body: { projectId, objectTypes: types ?? [] } }).then(told => told && setAnswer(told))
      }
    >
      <SpaceBetween size="m">
        <FormField label={t('types.importFile')} description={t('types.importText')}>
          <FileDrop
            label={fileName ?? t('import.choose')}
            accept=".json,application/json"
            onFiles={([taken]) => void read(taken)}
          />
        </FormField>
        {types && <div>{t('types.importFound', { count: types.length })}</div>}
        {answer && answer.errors.length > 0 && (
          <Alert type="warning">
            <ul>
              {answer.errors.slice(0, 20).map(one => (
                <li key={one.objectTypeName + one.message}>
                  <span translate="no">{one.objectTypeName}</span>: {one.message}
                </li>
              ))}
            </ul>
          </Alert>
        )}
      </SpaceBetween>
    </DialogBox>
  )
}
