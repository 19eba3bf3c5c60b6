import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'

interface ConfirmActionProps {
  name: string
  action: 'publish' | 'retire' | 'discard'
  isRunning: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Publishing says what happens; what takes a process away asks for its name. */
export function ConfirmAction({ name, action, isRunning, onConfirm, onClose }: ConfirmActionProps) {
  const { t } = useTranslation('ground/orchestration')
  const title = t(`confirm.${action}`, { name })
  if (action === 'publish') {
    return (
      <DialogBox
        title={title}
        verb={t('actions.publish')}
        action="publish"
        isRunning={isRunning}
        onSubmit={onConfirm}
        onClose={onClose}
      >
        <p className="process-text">{t('confirm.publishText')}</p>
      </DialogBox>
    )
  }
  return (
    <ConfirmByName
      title={title}
      name={name}
      verb={t(`actions.${action}`)}
      isRunning={isRunning}
      onConfirm={onConfirm}
      onCancel={onClose}
    >
      {t(`confirm.${action}Text`)}
    </ConfirmByName>
  )
}
