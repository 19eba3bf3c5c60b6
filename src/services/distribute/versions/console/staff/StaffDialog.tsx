import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { appsDesk } from '../../../apps/desk/contract.ts'
import { versionShelf } from '../../shelf/contract.ts'
import { shelfApi, staffAppsApi } from '../version-calls.ts'

export const versionMoves = ['forceOff', 'restore'] as const
export type StaffQuestion =
  | { move: (typeof versionMoves)[number]; versionId: string }
  | { move: 'freeze' | 'unfreeze'; appId: string }

interface StaffDialogProps {
  question: StaffQuestion
  zone: ZoneId | undefined
  onClose: () => void
}

/** Asks for what each move needs: a reason, a code, a notice that the team reads. */
export function StaffDialog({ question, zone, onClose }: StaffDialogProps) {
  const { t } = useTranslation('distribute/versions')
  const title = t(`staff.${question.move}`)
  const onDone = () => {
    notify({ tone: 'success', text: t('staff.done', { what: title }) })
    onClose()
  }
  const ask = { zone, title, onDone, onClose }
  return (
    <Modal visible header={title} onDismiss={onClose}>
      {question.move === 'forceOff' && <ForceOff versionId={question.versionId} {...ask} />}
      {question.move === 'restore' && <Restore versionId={question.versionId} {...ask} />}
      {question.move === 'freeze' && <Freeze appId={question.appId} {...ask} />}
      {question.move === 'unfreeze' && <Unfreeze appId={question.appId} {...ask} />}
    </Modal>
  )
}

interface AskProps {
  zone: ZoneId | undefined
  title: string
  onDone: () => void
  onClose: () => void
}

function ForceOff({ versionId, zone, title, onDone, onClose }: AskProps & { versionId: string }) {
  const { t } = useTranslation('distribute/versions')
  const form = useContractForm(versionShelf.calls.forceOffVersion.body, { versionId, reasonCode: '', notice: '' })
  const act = useAction(shelfApi.forceOffVersion, { onDone, errors: 'form' })
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={body => act.run({ body }, zone ? { zone } : {})}
      submitLabel={title}
      onCancel={onClose}
    >
      <p className="version-said">{t('staff.forceOffText')}</p>
      <TextField of={form} name="reasonCode" label={t('staff.reasonCode')} />
      <TextAreaField of={form} name="notice" label={t('staff.notice')} rows={4} />
    </ContractFormBox>
  )
}

function Restore({ versionId, zone, title, onDone, onClose }: AskProps & { versionId: string }) {
  const { t } = useTranslation('distribute/versions')
  const form = useContractForm(versionShelf.calls.restoreVersion.body, { versionId, notice: '' })
  const act = useAction(shelfApi.restoreVersion, { onDone, errors: 'form' })
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={body => act.run({ body }, zone ? { zone } : {})}
      submitLabel={title}
      onCancel={onClose}
    >
      <p className="version-said">{t('staff.restoreText')}</p>
      <TextAreaField of={form} name="notice" label={t('staff.notice')} rows={4} />
    </ContractFormBox>
  )
}

function Freeze({ appId, zone, title, onDone, onClose }: AskProps & { appId: string }) {
  const { t } = useTranslation('distribute/versions')
  const form = useContractForm(appsDesk.calls.freezeApp.body, { appId, reason: '' })
  const act = useAction(staffAppsApi.freezeApp, { onDone, errors: 'form' })
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={body => act.run({ body }, zone ? { zone } : {})}
      submitLabel={title}
      onCancel={onClose}
    >
      <p className="version-said">{t('staff.freezeText')}</p>
      <TextAreaField of={form} name="reason" label={t('staff.reason')} rows={4} />
    </ContractFormBox>
  )
}

function Unfreeze({ appId, zone, title, onDone, onClose }: AskProps & { appId: string }) {
  const form = useContractForm(appsDesk.calls.unfreezeApp.body, { appId })
  const act = useAction(staffAppsApi.unfreezeApp, { onDone, errors: 'form' })
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={body => act.run({ body }, zone ? { zone } : {})}
      submitLabel={title}
      onCancel={onClose}
    >
      {null}
    </ContractFormBox>
  )
}
