import Alert from '@cloudscape-design/components/alert'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { versionDeclarations } from '../../declarations/contract.ts'
import { declareApi } from '../version-calls.ts'

type Found = Answer<(typeof versionDeclarations.calls)['validateContact']>

/** Proves a mail address: a code goes out, and comes back typed in. */
export function ContactDialog({ appId, onClose }: { appId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const [sent, setSent] = useState<Found | null>(null)
  const form = useContractForm(versionDeclarations.calls.validateContact.body, { appId, address: '', code: '' })
  const act = useAction(declareApi.validateContact, {
    errors: 'form',
    invalidates: [],
    onDone: answer => {
      setSent(answer)
      if (answer.state !== 'VALID') return
      notify({ tone: 'success', text: t('declare.proven', { address: answer.address }) })
      onClose()
    },
  })
  const isWaiting = sent !== null && sent.state !== 'USED_UP'
  return (
    <Modal visible header={t('declare.contact')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={({ code, ...body }) => act.run({ body: isWaiting ? { ...body, ...(code && { code }) } : body })}
        submitLabel={isWaiting ? t('declare.prove') : t('declare.sendCode')}
        onCancel={onClose}
      >
        <p className="version-said">{t('declare.contactText')}</p>
        {sent?.state === 'WRONG' && <Alert type="error">{t('declare.wrong', { tries: sent.triesLeft })}</Alert>}
        {sent?.state === 'USED_UP' && <Alert type="error">{t('declare.usedUp')}</Alert>}
        <TextField of={form} name="address" label={t('declare.address')} type="email" placeholder="dev@example.com" />
        {isWaiting && <TextField of={form} name="code" label={t('declare.code')} hint={t('declare.codeHint')} />}
      </ContractFormBox>
    </Modal>
  )
}
