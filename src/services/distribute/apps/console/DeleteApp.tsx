import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { reservationMs } from '../rules.ts'
import { type AppView, api } from './app-calls.ts'

export function DeleteApp({ app, onClose }: { app: AppView; onClose: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const go = useGo()
  const { appId, name, revision } = app
  const act = useAction(api.deleteApp, {
    invalidates: [api.listApps, api.listAppsByProject],
    onDone: () => {
      notify({ tone: 'success', text: t('delete.done', { name }) })
      go('/apps')
    },
  })
  return (
    <ConfirmByName
      title={t('delete.title', { name })}
      name={name}
      verb={t('action.delete')}
      isRunning={act.isRunning}
      onConfirm={() => void act.run({ query: { appId } }, { revision }).then(onClose)}
      onCancel={onClose}
    >
      {t('delete.text', { count: reservationMs / 86_400_000 })}
    </ConfirmByName>
  )
}
