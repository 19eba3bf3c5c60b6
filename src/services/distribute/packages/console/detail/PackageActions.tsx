import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { api, manyCalls, type PackageView, taskCalls } from '../package-calls.ts'
import { nameOf } from '../package-words.ts'
import { tellRefused } from '../tell-refused.ts'
import { EditPackage } from './EditPackage.tsx'

export function PackageActions({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const go = useGo()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const { pkgId, appId, revision, allowedActions } = one
  const name = nameOf(one)
  const again = useAction(taskCalls.processPackageAgain)
  const move = useAction(manyCalls.changePackageStates)
  const remove = useAction(api.deletePackage, {
    invalidates: [api.listPackages],
    onDone: () => {
      notify({ tone: 'success', text: t('delete.done', { name }) })
      go('/apps/$appId/packages', { appId })
    },
  })
  return (
    <>
      {allowedActions.includes('processAgain') && (
        <Button loading={again.isRunning} onClick={() => void again.run({ body: { pkgId, revision } })}>
          {t('actions.again')}
        </Button>
      )}
      {allowedActions.includes('archive') && (
        <Button
          loading={move.isRunning}
          onClick={() => void move.run({ body: { pkgIds: [pkgId], state: 'ARCHIVED' } }).then(tellRefused)}
        >
          {t('actions.archive')}
        </Button>
      )}
      {allowedActions.includes('restore') && (
        <Button
          loading={move.isRunning}
          onClick={() => void move.run({ body: { pkgIds: [pkgId], state: 'READY' } }).then(tellRefused)}
        >
          {t('actions.restore')}
        </Button>
      )}
      <Can call={api.updatePackage}>
        <Button onClick={() => setOpen('edit')}>{t('action.edit')}</Button>
      </Can>
      <Can call={api.deletePackage}>
        <Button
          disabled={!allowedActions.includes('delete')}
          disabledReason={one.isHeld ? t('actions.held') : t('actions.notNow')}
          onClick={() => setOpen('delete')}
        >
          {t('action.delete')}
        </Button>
      </Can>
      {open === 'edit' && <EditPackage one={one} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmByName
          title={t('delete.title', { name })}
          name={name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { pkgId } }, { revision }).then(() => setOpen(null))}
          onCancel={() => setOpen(null)}
        >
          {t('delete.text')}
        </ConfirmByName>
      )}
    </>
  )
}
