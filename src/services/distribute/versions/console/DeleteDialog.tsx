import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api, type VersionView } from './version-calls.ts'

/** A deleted version takes its texts and pictures with it, so its name must be typed. */
export function DeleteDialog({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const go = useGo()
  const { versionId, appId } = version
  const act = useAction(api.deleteVersion, {
    onDone: () => {
      notify({ tone: 'success', text: t('done.delete') })
      onClose()
      go('/apps/$appId', { appId })
    },
  })
  return (
    <ConfirmByName
      title={t('ask.delete')}
      name={version.versionCode ?? t('version.word')}
      verb={t('actions.delete')}
      isRunning={act.isRunning}
      onConfirm={() => void act.run({ query: { versionId } })}
      onCancel={onClose}
    >
      {t('asks.delete')}
    </ConfirmByName>
  )
}
