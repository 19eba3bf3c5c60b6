import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { trustDesk } from '../../trust/contract.ts'
import { trustPurposes } from '../../trust/rules.ts'
import { trustCalls } from '../package-calls.ts'

/** Certificates from a file or by hand; nothing but their text leaves the browser. */
export function NewRoots({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('distribute/packages')
  const form = useContractForm(trustDesk.calls.addTrustedRoots.body, { purpose: 'HARMONY', pem: '' })
  const add = useAction(trustCalls.addTrustedRoots, {
    errors: 'form',
    onDone: ({ list }) => {
      notify({ tone: 'success', text: t('trust.added', { count: list.length }) })
      onClose()
    },
  })
  const read = async ([file]: File[]) => {
    if (file) form.form.setValue('pem', await file.text(), { shouldValidate: true })
  }
  return (
    <Modal visible header={t('trust.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={add}
        submit={values => add.run({ body: values })}
        submitLabel={t('trust.add')}
        onCancel={onClose}
      >
        <SelectField
          of={form}
          name="purpose"
          label={t('trust.purpose')}
          options={trustPurposes.map(value => ({ value, label: t(`trust.purposes.${value}`) }))}
        />
        <FileDrop
          label={t('trust.file')}
          hint={t('trust.fileHint')}
          accept=".pem,.crt,.cer"
          onFiles={files => void read(files)}
        />
        <TextAreaField of={form} name="pem" rows={6} label={t('trust.pem')} hint={t('trust.pemHint')} />
      </ContractFormBox>
    </Modal>
  )
}
