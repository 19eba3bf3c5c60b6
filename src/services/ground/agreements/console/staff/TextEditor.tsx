import Button from '@cloudscape-design/components/button'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { agreementDocuments } from '../../documents/contract.ts'
import { type DocumentView, documentsApi } from '../agreement-calls.ts'
import { tagOf, useWords } from '../words.ts'

interface TextEditorProps {
  document: DocumentView
  language: string
  text: DocumentView['texts'][number] | null
}

/** Writes the text of a draft in one language. */
export function TextEditor({ document, language, text }: TextEditorProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const { documentId, revision } = document
  const params = { documentId }
  const form = useContractForm(agreementDocuments.calls.writeText.body, {
    language,
    title: text?.title ?? '',
    body: text?.body ?? '',
    revision,
  })
  const write = useAction(documentsApi.writeText, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t('document.textSaved', { language: words.tongue(language) }) }),
  })
  const remove = useAction(documentsApi.deleteText)
  const { setValue } = form.form
  useEffect(() => setValue('revision', revision), [revision, setValue])
  return (
    <ContractFormBox
      of={form}
      action={write}
      submit={body => write.run({ params, body })}
      submitLabel={t('document.saveText')}
    >
      <TextField of={form} name="title" label={t('own.name')} />
      <TextAreaField
        of={form}
        name="body"
        label={t('text.body')}
        hint={t('text.plain')}
        rows={18}
        lang={tagOf(language)}
      />
      {text && (
        <Button
          formAction="none"
          data-action="deleteText"
          loading={remove.isRunning}
          onClick={() => void remove.run({ params, query: { language, revision } })}
        >
          {t('document.removeLanguage', { language: words.tongue(language) })}
        </Button>
      )}
    </ContractFormBox>
  )
}
