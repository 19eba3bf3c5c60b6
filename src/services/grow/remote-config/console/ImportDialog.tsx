import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { formats, type ImportView } from '../exchange/contract.ts'
import { exchangeApi, type Where } from './config-calls.ts'

type Format = (typeof formats)[number]

/** Takes a template from a file: first what would become of it, then into the draft. */
export function ImportDialog({ where, onClose }: { where: Where; onClose: () => void }) {
  const { t } = useTranslation('grow/remote-config')
  const [format, setFormat] = useState<Format>('firebase')
  const [file, setFile] = useState<{ name: string; content: unknown } | null>(null)
  const [isBad, setBad] = useState(false)
  const [isReplacing, setReplacing] = useState(false)
  const [report, setReport] = useState<ImportView | null>(null)
  const send = useAction(exchangeApi.importTemplate, {
    errors: 'form',
    onDone: answer => (answer.isDone ? onClose() : setReport(answer)),
  })
  const take = async ([first]: File[]) => {
    setReport(null)
    try {
      setFile(first ? { name: first.name, content: JSON.parse(await first.text()) } : null)
      setBad(false)
    } catch {
      setBad(true)
    }
  }
  const submit = () => {
    const mode = isReplacing ? ('replace' as const) : ('merge' as const)
    void send.run({ body: { ...where, format, file: file?.content, mode, isTrial: report === null } })
  }
  return (
    <DialogBox
      title={t('import.title')}
      size="large"
      verb={t(report ? 'import.go' : 'import.look')}
      action="importTemplate"
      isRunning={send.isRunning}
      canSubmit={file !== null && !isBad && report?.ok !== false}
      refusal={send.error ? errorText(send.error) : null}
      onClose={onClose}
      onSubmit={submit}
    >
      <FormField label={t('import.format')}>
        <Select
          selectedOption={{ value: format, label: t(`import.formats.${format}`) }}
          options={formats.map(value => ({ value, label: t(`import.formats.${value}`) }))}
          onChange={({ detail }) => {
            setFormat(detail.selectedOption.value as Format)
            setReport(null)
          }}
        />
      </FormField>
      <FileDrop label={t('import.file')} accept=".json" onFiles={files => void take(files)} />
      {file && <span translate="no">{file.name}</span>}
      {isBad && <Alert type="error">{t('problems.json')}</Alert>}
      <Toggle checked={isReplacing} onChange={({ detail }) => setReplacing(detail.checked)}>
        {t('import.replace')}
      </Toggle>
      {report && <Report of={report} />}
    </DialogBox>
  )
}

function Report({ of }: { of: ImportView }) {
  const { t } = useTranslation('grow/remote-config')
  const { parameters, conditions, groups, notMapped, notes, problems } = of
  const drawn = notes.filter(one => one.note === 'DRAWS_ANEW').length
  return (
    <>
      <Alert type="info">{t('import.found', { parameters, conditions, groups })}</Alert>
      {problems.length > 0 && <Alert type="error">{problems[0]?.message}</Alert>}
      {drawn > 0 && <Alert type="warning">{t('import.drawn', { count: drawn })}</Alert>}
      {notMapped.length > 0 && (
        <Alert type="warning" header={t('import.notMapped', { count: notMapped.length })}>
          <ul className="rcs-problems" translate="no">
            {notMapped.slice(0, 50).map(one => (
              <li key={`${one.thing} ${one.name}`}>
                {one.name}: {one.reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  )
}
