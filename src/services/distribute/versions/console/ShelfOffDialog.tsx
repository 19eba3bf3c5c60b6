import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { limits } from '../rules.ts'
import { versionShelf } from '../shelf/contract.ts'
import { shelfApi, type VersionView } from './version-calls.ts'

/** Off the shelf only with a reason; large apps go through the store first. */
export function ShelfOffDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision } = version
  const form = useContractForm(versionShelf.calls.shelfOffVersion.body, { versionId, reason: '' })
  const act = useAction(shelfApi.shelfOffVersion, { onDone: onClose, errors: 'form' })
  const said = { days: limits.relistMs / 86_400_000, installs: limits.shelfOffReviewInstalls }
  return (
    <Modal visible header={t('ask.shelfOff')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body }, { revision })}
        submitLabel={t('actions.shelfOff')}
        onCancel={onClose}
      >
        <p className="version-said">{t('asks.shelfOff', said)}</p>
        <TextAreaField of={form} name="reason" label={t('shelfOff.reason')} rows={4} />
      </ContractFormBox>
    </Modal>
  )
}
