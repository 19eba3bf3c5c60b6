import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { dateTimeText } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type DocumentView, documentsApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'

interface ConfirmActProps {
  document: DocumentView
  action: 'publish' | 'recall' | 'delete'
  onClose: () => void
}

/** Says what will follow before a version is published, recalled or deleted. */
export function ConfirmAct({ document, action, onClose }: ConfirmActProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const go = useGo()
  const { documentId, revision, name, version, effectiveAt, graceDays, languages } = document
  const isDelete = action === 'delete'
  const act = useAction(documentsApi.actOnDocument, {
    errors: isDelete ? 'notify' : 'form',
    ...(isDelete && { invalidates: [] }),
    onDone: () => {
      notify({ tone: 'success', text: t(`document.done.${action}`) })
      if (isDelete) go('/operate/agreements')
      else onClose()
    },
  })
  const run = () => void act.run({ params: { documentId }, body: { action, revision } })
  const title = t(`document.do.${action}`)
  if (isDelete) {
    return (
      <ConfirmByName
        title={title}
        name={`${name[words.language]} ${version}`}
        verb={t('action.delete')}
        isRunning={act.isRunning}
        onCancel={onClose}
        onConfirm={run}
      >
        {t('document.deleteText')}
      </ConfirmByName>
    )
  }
  return (
    <DialogBox
      title={title}
      verb={title}
      action={action}
      isRunning={act.isRunning}
      refusal={act.error ? errorText(act.error) : null}
      onSubmit={run}
      onClose={onClose}
    >
      {action === 'recall' && <Alert type="warning">{t('document.recallText')}</Alert>}
      {action === 'publish' && (
        <>
          <Alert type="warning">{t('document.publishText')}</Alert>
          <span>
            {effectiveAt === null
              ? t('document.atOnce')
              : t('document.atDate', { date: dateTimeText(effectiveAt, words.language) })}{' '}
            {t('document.graceOf', { count: graceDays })} · {languages.map(words.tongue).join(', ')}
          </span>
        </>
      )}
    </DialogBox>
  )
}
