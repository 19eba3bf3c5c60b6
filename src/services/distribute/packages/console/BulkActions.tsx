import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { limits } from '../rules.ts'
import { manyCalls, type PackageRow } from './package-calls.ts'
import { tellRefused } from './tell-refused.ts'

interface BulkActionsProps {
  chosen: readonly PackageRow[]
  onDone: () => void
}

/** What can be done to several packages at once: each by itself, so that one refusal keeps no other back. */
export function BulkActions({ chosen, onDone }: BulkActionsProps) {
  const { t } = useTranslation('distribute/packages')
  const [isDeleting, setDeleting] = useState(false)
  const archive = useAction(manyCalls.changePackageStates)
  const remove = useAction(manyCalls.deletePackages)
  if (chosen.length === 0) return null
  const pkgIds = chosen.map(one => one.pkgId).slice(0, limits.atOnce)
  const count = pkgIds.length
  const canArchive = chosen.some(one => one.allowedActions.includes('archive'))
  const end = () => {
    setDeleting(false)
    onDone()
  }
  return (
    <Can call={manyCalls.deletePackages}>
      <Button
        data-action="archivePackages"
        disabled={!canArchive}
        loading={archive.isRunning}
        onClick={() =>
          void archive
            .run({ body: { pkgIds, state: 'ARCHIVED' } })
            .then(tellRefused)
            .then(end)
        }
      >
        {t('bulk.archive', { count })}
      </Button>
      <Button data-action="deletePackages" onClick={() => setDeleting(true)}>
        {t('bulk.delete', { count })}
      </Button>
      {isDeleting && (
        <ConfirmByName
          title={t('bulk.deleteTitle', { count })}
          name={String(count)}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ body: { pkgIds } }).then(tellRefused).then(end)}
          onCancel={() => setDeleting(false)}
        >
          {t('bulk.deleteText')}
        </ConfirmByName>
      )}
    </Can>
  )
}
