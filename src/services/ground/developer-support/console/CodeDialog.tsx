import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { ContactProof } from '../contract.ts'
import { api, type ContactView, useNow } from './contact-calls.ts'
import { ResendButton } from './ResendButton.tsx'

/** Takes the code that an address got; says how many tries are left, until when it holds, and when another can be sent. */
export function CodeDialog({ contact, onClose }: { contact: ContactView; onClose: () => void }) {
  const { t } = useTranslation('ground/developer-support')
  const { address, state, triesLeft, expiresAt } = contact
  const now = useNow()
  const [isWrong, setWrong] = useState(false)
  const form = useContractForm(ContactProof, { address, code: '' })
  const verify = useAction(api.verifyContact, {
    errors: 'form',
    onDone: answer => {
      setWrong(answer.state === 'WRONG')
      if (answer.state === 'WRONG') form.form.setValue('code', '')
      if (answer.state !== 'VALID') return
      notify({ tone: 'success', text: t('code.done', { address }) })
      onClose()
    },
  })
  const isOver = state !== 'VERIFIED' && (expiresAt === null || expiresAt <= now)
  const over = triesLeft === 0 ? t('code.usedUp') : t('code.expired')
  return (
    <Modal visible header={t('code.title')} onDismiss={onClose}>
      <SpaceBetween size="m">
        <div>
          {t('code.sentTo')} <strong translate="no">{address}</strong>
          {!isOver && (
            <div className="lg-soft">
              {t('code.tries', { count: triesLeft })} · {t('code.until')} <When at={expiresAt} />
            </div>
          )}
        </div>
        {isOver ? (
          <Alert type="warning" action={<ResendButton contact={contact} onSent={() => setWrong(false)} />}>
            {over}
          </Alert>
        ) : (
          <ContractFormBox
            of={form}
            action={verify}
            submit={body => verify.run({ body })}
            submitLabel={t('code.verify')}
            onCancel={onClose}
          >
            {isWrong && <Alert type="error">{t('code.wrong', { count: triesLeft })}</Alert>}
            <TextField of={form} name="code" label={t('code.code')} hint={t('code.hint')} inputMode="numeric" />
            <ResendButton contact={contact} onSent={() => setWrong(false)} />
          </ContractFormBox>
        )}
        {isOver && <Button onClick={onClose}>{t('action.close')}</Button>}
      </SpaceBetween>
    </Modal>
  )
}
