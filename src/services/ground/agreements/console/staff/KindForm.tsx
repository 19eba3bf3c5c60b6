import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { languageNames, languages } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { agreementDocuments } from '../../documents/contract.ts'
import { signers } from '../../rules.ts'
import { documentsApi, type KindView } from '../agreement-calls.ts'

interface KindFormProps {
  kind: KindView | null
  permissions: readonly string[]
  onClose: () => void
}

/** Makes a kind of agreement, or changes what one asks for. */
export function KindForm({ kind, permissions, onClose }: KindFormProps) {
  const { t } = useTranslation('ground/agreements')
  const form = useContractForm(agreementDocuments.calls.setKind.body, {
    agrType: kind?.agrType ?? 1,
    branchId: kind?.branchId ?? 0,
    name: kind?.name ?? { zh: '', en: '', ru: '' },
    signer: kind?.signer ?? 'person',
    isRequired: kind?.isRequired ?? true,
    isWithdrawable: kind?.isWithdrawable ?? true,
    permissions: kind?.permissions ?? [],
    revision: kind?.revision ?? 0,
  })
  const set = useAction(documentsApi.setKind, { errors: 'form', onDone: onClose })
  const { watch, setValue } = form.form
  return (
    <Modal visible header={kind ? t('kind.change') : t('kind.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={set}
        submit={body => set.run({ body })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        {!kind && (
          <TextField of={form} name="agrType" label={t('kind.agrType')} type="number" hint={t('kind.numberHint')} />
        )}
        {!kind && <TextField of={form} name="branchId" label={t('kind.branchId')} type="number" />}
        {languages.map(language => (
          <TextField
            key={language}
            of={form}
            name={`name.${language}`}
            label={t('kind.nameIn', { language: languageNames[language] })}
          />
        ))}
        <SelectField
          of={form}
          name="signer"
          label={t('kind.signer')}
          options={signers.map(value => ({ value, label: t(`signers.${value}`) }))}
        />
        {watch('signer') === 'team' && (
          <FormField of={form} name="permissions" label={t('kind.permissions')} hint={t('kind.permissionsHint')}>
            {field => (
              <Multiselect
                selectedOptions={(field.value as string[]).map(value => ({ value, label: value }))}
                options={permissions.map(value => ({ value, label: value }))}
                filteringType="auto"
                placeholder={t('kind.choose')}
                onChange={({ detail }) => field.onChange(detail.selectedOptions.map(one => one.value ?? ''))}
              />
            )}
          </FormField>
        )}
        <Toggle
          checked={watch('isRequired')}
          description={t('kind.requiredText')}
          onChange={({ detail }) => setValue('isRequired', detail.checked)}
        >
          {t('kind.required')}
        </Toggle>
        <Toggle checked={watch('isWithdrawable')} onChange={({ detail }) => setValue('isWithdrawable', detail.checked)}>
          {t('kind.withdrawable')}
        </Toggle>
      </ContractFormBox>
    </Modal>
  )
}
