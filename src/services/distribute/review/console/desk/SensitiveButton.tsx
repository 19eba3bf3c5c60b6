import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { sensitiveApps } from '../../sensitive/contract.ts'
import { sensitive } from '../review-calls.ts'
import { useDeskZone } from './use-desk-zone.ts'

interface SensitiveButtonProps {
  appId: string
  appName: string
  isSensitive: boolean
}

/** Has two reviewers decide about an app, or one again. */
export function SensitiveButton({ appId, appName, isSensitive }: SensitiveButtonProps) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const [isAsking, setAsking] = useState(false)
  const form = useContractForm(sensitiveApps.calls.updateSensitiveApp.body, { appId, isSensitive: true, reason: '' })
  const act = useAction(sensitive.updateSensitiveApp, {
    errors: isSensitive ? 'notify' : 'form',
    onDone: () => {
      setAsking(false)
      notify({ tone: 'success', text: t(isSensitive ? 'sensitive.undone' : 'sensitive.done', { app: appName }) })
    },
  })
  const verb = isSensitive ? t('sensitive.unset') : t('sensitive.set')
  const press = () => {
    if (isSensitive) void act.run({ body: { appId, isSensitive: false } }, at)
    else setAsking(true)
  }
  return (
    <>
      <Button loading={act.isRunning} onClick={press}>
        {verb}
      </Button>
      {isAsking && (
        <Modal visible header={verb} onDismiss={() => setAsking(false)}>
          <ContractFormBox
            of={form}
            action={act}
            submit={body => act.run({ body }, at)}
            submitLabel={verb}
            onCancel={() => setAsking(false)}
          >
            <TextAreaField of={form} name="reason" label={t('sensitive.ask')} rows={3} />
          </ContractFormBox>
        </Modal>
      )}
    </>
  )
}
