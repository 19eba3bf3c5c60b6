import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { agreementDocuments } from '../../documents/contract.ts'
import { type DocumentView, documentsApi } from '../agreement-calls.ts'
import { WhenChoice } from '../WhenChoice.tsx'

/** When a draft will bind, how long it may wait, and whether it must be signed anew. */
export function Settings({ document }: { document: DocumentView }) {
  const { t } = useTranslation('ground/agreements')
  const { documentId, effectiveAt, graceDays, requireResign, revision } = document
  const form = useContractForm(agreementDocuments.calls.updateDocument.body, {
    effectiveAt,
    graceDays,
    requireResign,
    revision,
  })
  const update = useAction(documentsApi.updateDocument, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t('document.saved') }),
  })
  const { watch, setValue, formState } = form.form
  // A text that was written meanwhile counts too.
  useEffect(() => setValue('revision', revision), [revision, setValue])
  return (
    <ContractFormBox
      of={form}
      action={update}
      submit={body => update.run({ params: { documentId }, body })}
      submitLabel={t('action.save')}
    >
      <SpaceBetween size="l">
        <WhenChoice
          value={watch('effectiveAt')}
          onChange={at => setValue('effectiveAt', at)}
          error={formState.errors['effectiveAt']?.message as string | undefined}
        />
        <TextField
          of={form}
          name="graceDays"
          label={t('document.graceDays')}
          type="number"
          hint={t('document.graceHint')}
        />
        <Toggle
          checked={watch('requireResign')}
          description={t('document.resignText')}
          onChange={({ detail }) => setValue('requireResign', detail.checked)}
        >
          {t('document.resign')}
        </Toggle>
      </SpaceBetween>
    </ContractFormBox>
  )
}
