import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { api, type FileView } from '../file-calls.ts'

export function RemoveFile({ file, onEnd }: { file: FileView; onEnd: () => void }) {
  const { t } = useTranslation('ground/files')
  const { objectId, fileName: name } = file
  const remove = useAction(api.deleteObjects, {
    onDone: () => notify({ tone: 'success', text: t('remove.done', { name }) }),
  })
  return (
    <ConfirmByName
      title={t('remove.of', { name })}
      name={name}
      verb={t('remove.button')}
      isRunning={remove.isRunning}
      onConfirm={() => void remove.run({ body: { objectIds: [objectId] } }).then(onEnd)}
      onCancel={onEnd}
    >
      {t('remove.text')}
    </ConfirmByName>
  )
}
