import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useSession } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { menu } from '../../contract.ts'
import { api } from '../menu-calls.ts'
import { useLanguage } from '../shown-language.ts'

/** Asks for support with a service, also with one that is closed to the team. */
export function ApplyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const session = useSession()
  const loginName = session.status === 'in' ? session.info.account.loginName : ''
  const catalogue = useCall(api.getServiceCatalog, { query: { pageSize: 100 } })
  const form = useContractForm(menu.calls.applyForSupport.body, {
    serviceId: '',
    contact: loginName.includes('@') ? loginName : '',
    description: '',
  })
  const apply = useAction(api.applyForSupport, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('support.sent') })
      onClose()
    },
  })
  const options = (catalogue.data?.list ?? []).map(one => ({
    value: one.serviceId,
    label: one.title[language],
    description: t(`groups.${one.category}`),
  }))
  return (
    <Modal visible header={t('support.apply')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={apply}
        submit={body => apply.run({ body })}
        submitLabel={t('support.send')}
        onCancel={onClose}
      >
        <SelectField
          of={form}
          name="serviceId"
          label={t('support.service')}
          options={options}
          placeholder={t('support.choose')}
        />
        <TextAreaField
          of={form}
          name="description"
          label={t('support.description')}
          hint={t('support.hint')}
          rows={6}
        />
        <TextField
          of={form}
          name="contact"
          label={t('support.contact')}
          hint={t('support.contactHint')}
          type="email"
          inputMode="email"
        />
      </ContractFormBox>
    </Modal>
  )
}
