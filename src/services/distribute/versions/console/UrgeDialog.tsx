import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { versions } from '../contract.ts'
import { limits } from '../rules.ts'
import { api, type VersionView } from './version-calls.ts'

/** Asks the store to hurry with a review that is overdue. */
export function UrgeDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const form = useContractForm(versions.calls.urgeReview.body, { versionId: version.versionId, reason: '' })
  const act = useAction(api.urgeReview, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('done.urge') })
      onClose()
    },
  })
  const left = limits.urgesOfSubmission - version.urgeCount
  return (
    <Modal visible header={t('ask.urge')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('actions.urge')}
        onCancel={onClose}
      >
        <p className="version-said">{t('asks.urge', { count: left })}</p>
        <TextAreaField of={form} name="reason" label={t('urge.reason')} rows={3} />
      </ContractFormBox>
    </Modal>
  )
}
