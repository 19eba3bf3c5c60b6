import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import DatePicker from '@cloudscape-design/components/date-picker'
import FormField from '@cloudscape-design/components/form-field'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { FileDrop } from '../../../../console/kit/FileDrop.tsx'
import { type Language, localeOf } from '../../../../console/language.ts'
import { type PaperDraft, sendScan } from './paper-draft.ts'
import type { DefView } from './qualification-calls.ts'
import { worded } from './qualification-words.ts'

interface PaperFieldsProps {
  draft: PaperDraft
  def: DefView
  onChange: (part: Partial<PaperDraft>) => void
  onAdd: (file: PaperDraft['files'][number]) => void
  onRemove: () => void
}

/** One paper: its scans, and from when to when it counts. */
export function PaperFields({ draft, def, onChange, onAdd, onRemove }: PaperFieldsProps) {
  const { t, i18n } = useTranslation('distribute/qualification')
  const [sending, setSending] = useState<string | null>(null)
  const [refusal, setRefusal] = useState('')
  const name = worded(def.nameByLang)
  const send = async (files: readonly File[]) => {
    setRefusal('')
    for (const file of files.slice(0, def.maxFiles - draft.files.length)) {
      setSending(file.name)
      try {
        const stored = await sendScan(file)
        if (stored) onAdd(stored)
      } catch (error) {
        setRefusal(errorText(error))
      }
    }
    setSending(null)
  }
  const days = (['from', 'to'] as const).map(end => (
    <FormField key={end} label={t(`papers.${end}`)}>
      <DatePicker
        value={draft[end]}
        locale={localeOf[i18n.resolvedLanguage as Language]}
        placeholder="YYYY/MM/DD"
        ariaLabel={`${name}: ${t(`papers.${end}`)}`}
        expandToViewport
        onChange={({ detail }) => onChange({ [end]: detail.value })}
      />
    </FormField>
  ))
  return (
    <fieldset className="qual-paper">
      <legend>{name}</legend>
      <Button formAction="none" iconName="remove" ariaLabel={t('papers.remove', { name })} onClick={onRemove} />
      <FormField label={t('papers.files')} errorText={refusal || undefined}>
        <FileDrop
          label={sending === null ? t('papers.choose') : t('papers.sending', { name: sending })}
          hint={t('papers.hint', { count: def.maxFiles })}
          accept="image/png,image/jpeg,image/webp,application/pdf"
          isMultiple
          isDisabled={sending !== null || draft.files.length >= def.maxFiles}
          onFiles={files => void send(files)}
        />
        <ul className="qual-files" translate="no">
          {draft.files.map(file => (
            <li key={file.objectId}>
              {file.fileName}
              <Button
                formAction="none"
                variant="inline-icon"
                iconName="close"
                ariaLabel={t('papers.remove', { name: file.fileName })}
                onClick={() => onChange({ files: draft.files.filter(one => one.objectId !== file.objectId) })}
              />
            </li>
          ))}
        </ul>
      </FormField>
      {!def.needsValidity && (
        <Checkbox checked={draft.isForEver} onChange={({ detail }) => onChange({ isForEver: detail.checked })}>
          {t('papers.ever')}
        </Checkbox>
      )}
      {!draft.isForEver && <div className="qual-days">{days}</div>}
    </fieldset>
  )
}
