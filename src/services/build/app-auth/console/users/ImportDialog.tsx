import Alert from '@cloudscape-design/components/alert'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { fieldText } from '../../../../../console/refusal-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { ImportedUserRow, ImportView } from '../../imports/contract.ts'
import { limits } from '../../rules.ts'
import { importApi } from '../auth-calls.ts'
import { HashFields, type HashWanted, hashOf } from './HashFields.tsx'
import { ImportResult } from './ImportResult.tsx'
import { readUsers } from './read-users.ts'

const conflicts = ['SKIP', 'MERGE', 'FAIL'] as const

/** Users of a file: read, tried out, and taken in by parts while a bar shows how far it is. */
export function ImportDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('build/app-auth')
  const [users, setUsers] = useState<ImportedUserRow[]>([])
  const [fault, setFault] = useState<string | null>(null)
  const [hash, setHash] = useState<HashWanted>({ algorithm: '' })
  const [onConflict, setOnConflict] = useState<(typeof conflicts)[number]>('SKIP')
  const [isTrial, setTrial] = useState(true)
  const [sent, setSent] = useState<number | null>(null)
  /** Which users the last part that was sent begins with. */
  const [partAt, setPartAt] = useState(0)
  const [done, setDone] = useState<ImportView | null>(null)
  const send = useAction(importApi.importUsers, { errors: 'form' })

  const take = async ([file]: File[]) => {
    setFault(null)
    setDone(null)
    try {
      setUsers(file ? await readUsers(file) : [])
    } catch {
      setFault(t('import.unreadable'))
    }
  }

  const run = async () => {
    let importId: string | undefined
    setDone(null)
    for (let at = 0; at < users.length; at += limits.importRows) {
      setSent(at)
      setPartAt(at)
      const more = at + limits.importRows < users.length
      const first = { onConflict, dryRun: isTrial, ...(hash.algorithm === '' ? {} : { hash: hashOf(hash) }) }
      const part = users.slice(at, at + limits.importRows)
      const answer = await send.run({
        body: { projectId, users: part, more, ...(importId === undefined ? first : { importId }) },
      })
      if (!answer) break
      importId = answer.import.importId
      if (!more) setDone(answer.import)
    }
    setSent(null)
  }

  /** What is wrong with which users, where the server says so. */
  const refusalOf = (error: CallError) => {
    const faults = error.fields.slice(0, 5).map(one => {
      const [, at, field] = /^\/users\/(\d+)\/(.+)$/.exec(one.pointer) ?? []
      const text = fieldText(one)
      if (at === undefined) return `${one.pointer}: ${text}`
      return t('import.inFile', { number: partAt + Number(at) + 1, field, text })
    })
    return [errorText(error), ...faults].join(' ')
  }

  const isRunning = sent !== null
  return (
    <DialogBox
      title={t('import.title')}
      size="large"
      action="import"
      verb={isTrial ? t('import.try') : t('import.run')}
      isRunning={isRunning}
      canSubmit={users.length > 0}
      refusal={fault ?? (send.error ? refusalOf(send.error) : null)}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <FileDrop
        label={t('import.file')}
        hint={t('import.fileHint')}
        accept=".json,.csv"
        onFiles={files => void take(files)}
      />
      {users.length > 0 && <Alert type="info">{t('import.found', { count: users.length })}</Alert>}
      <HashFields value={hash} onChange={setHash} />
      <FormField label={t('import.onConflict')}>
        <Select
          selectedOption={{ value: onConflict, label: t(`conflicts.${onConflict}`) }}
          options={conflicts.map(value => ({ value, label: t(`conflicts.${value}`) }))}
          onChange={({ detail }) => setOnConflict(conflicts.find(one => one === detail.selectedOption.value) ?? 'SKIP')}
        />
      </FormField>
      <Checkbox
        checked={isTrial}
        description={t('import.trialHint')}
        onChange={({ detail }) => setTrial(detail.checked)}
      >
        {t('import.trial')}
      </Checkbox>
      {isRunning && (
        <ProgressBar label={t('import.sending')} value={Math.floor((sent / Math.max(1, users.length)) * 100)} />
      )}
      {done && <ImportResult key={done.importId} projectId={projectId} importId={done.importId} />}
    </DialogBox>
  )
}
