import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { packages } from '../../contract.ts'
import { type PackageUsage, packageUsages } from '../../rules.ts'
import { api, type PackageView } from '../package-calls.ts'

/** What a package is for, and a note to remember it by. */
export function EditPackage({ one, onClose }: { one: PackageView; onClose: () => void }) {
  const { t } = useTranslation('distribute/packages')
  const { pkgId, usage, remark, revision } = one
  const form = useContractForm(packages.calls.updatePackage.body, { pkgId, usage, remark, revision })
  const act = useAction(api.updatePackage, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('editing.title')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={() => act.run({ body: form.form.getValues() })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <FormField label={t('upload.usage')}>
          <RadioGroup
            value={form.form.watch('usage') ?? usage}
            items={[...packageUsages].reverse().map(value => ({
              value,
              label: t(`usages.${value}`),
              description: t(`usageTexts.${value}`),
            }))}
            onChange={({ detail }) => form.form.setValue('usage', detail.value as PackageUsage)}
          />
        </FormField>
        <TextAreaField of={form} name="remark" rows={3} label={t('editing.remark')} hint={t('editing.remarkHint')} />
      </ContractFormBox>
    </Modal>
  )
}
