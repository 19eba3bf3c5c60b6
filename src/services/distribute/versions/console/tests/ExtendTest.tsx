import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { versionTests } from '../../testing/contract.ts'
import { InstantInput } from '../InstantInput.tsx'
import { type TestView, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

/** More time, and of an open test more installs. */
export function ExtendTest({ test, onClose }: { test: TestView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision, endAt, installLimit } = test
  const form = useContractForm(versionTests.calls.updateTest.body, {
    versionId,
    revision,
    ...(endAt !== null && { endAt }),
    ...(installLimit !== null && { installLimit }),
  })
  const act = useAction(testsApi.updateTest, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('tests.done.extend') })
      onClose()
    },
  })
  return (
    <Modal visible header={t('tests.extendOf', { version: nameOf(test) })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <FormField of={form} name="endAt" label={t('tests.endAt')} hint={t('tests.endHint')}>
          {field => <InstantInput value={field.value as number | null} onChange={field.onChange} />}
        </FormField>
        {installLimit !== null && (
          <TextField of={form} name="installLimit" type="number" label={t('tests.limit')} hint={t('tests.limitHint')} />
        )}
      </ContractFormBox>
    </Modal>
  )
}
