import Alert from '@cloudscape-design/components/alert'
import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import type { Language } from '../../../../../console/language.ts'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { projectServices } from '../../services/contract.ts'
import { type ServiceView, serviceApi } from '../project-calls.ts'

interface ApplyForServicesProps {
  projectId: string
  services: readonly ServiceView[]
  onDone: () => void
  onClose: () => void
}

/** Asks for several services at once; those that something stands in the way of are kept as refused. */
export function ApplyForServices({ projectId, services, onDone, onClose }: ApplyForServicesProps) {
  const { t, i18n } = useTranslation('ground/projects')
  const go = useGo()
  const form = useContractForm(projectServices.calls.applyForServices.body, {
    projectId,
    serviceIds: services.map(one => one.serviceId),
    purpose: '',
  })
  const apply = useAction(serviceApi.applyForServices, {
    errors: 'form',
    onDone: ({ list }) => {
      const refused = list.filter(one => one.state === 'REFUSED').length
      const count = list.length - refused
      if (count > 0) notify({ tone: 'success', text: t('services.nowOn', { count }) })
      if (refused > 0) notify({ tone: 'warning', text: t('services.refusedNow', { count: refused }) })
      onDone()
      onClose()
      if (refused > 0) go('/projects/$projectId/services', { projectId }, { tab: 'applications' })
    },
  })
  return (
    <Modal visible header={t('services.applyFor', { count: services.length })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={apply}
        submit={body => apply.run({ body })}
        submitLabel={t('services.apply')}
        onCancel={onClose}
      >
        <Alert type="info">{services.map(one => one.name[i18n.resolvedLanguage as Language]).join(', ')}</Alert>
        <TextAreaField
          of={form}
          name="purpose"
          label={t('services.purpose')}
          hint={t('services.purposeHint')}
          rows={3}
        />
      </ContractFormBox>
    </Modal>
  )
}
