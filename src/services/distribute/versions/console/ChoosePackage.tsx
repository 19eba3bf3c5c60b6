import Link from '@cloudscape-design/components/link'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { EditDialog } from './EditDialog.tsx'
import { useVersionEdit } from './use-version-edit.ts'
import { packagesApi, type VersionView } from './version-calls.ts'
import { nameOf } from './version-words.ts'

/** One of the packages that are processed and may go to the store. */
export function ChoosePackage({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { appId } = version
  const [chosen, setChosen] = useState(version.pkgId)
  const { act, save } = useVersionEdit(version, onClose)
  const found = useCall(packagesApi.listPackages, {
    query: { appId, state: 'READY', usage: 'TEST_AND_FORMAL', pageSize: 100 },
  })
  const upload = <Link href={hrefOf('/apps/$appId/packages', { appId })}>{t('package.upload')}</Link>
  return (
    <EditDialog
      title={t('package.choose')}
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={chosen !== null && chosen !== version.pkgId}
      onSubmit={() => void save({ pkgId: chosen })}
      onClose={onClose}
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {found.data?.total === 0 && (
        <EmptyState title={t('package.noReady')} text={t('package.noReadyText')} action={upload} />
      )}
      {found.data && found.data.total > 0 && (
        <>
          <div className="version-packages">
            <RadioGroup
              ariaLabel={t('package.choose')}
              value={chosen}
              onChange={({ detail }) => setChosen(detail.value)}
              items={found.data.list.map(pkg => ({
                value: pkg.pkgId,
                label: nameOf(pkg),
                description: (
                  <>
                    {pkg.fileName} · <ByteSize value={pkg.sizeBytes} /> · <When at={pkg.createdAt} />
                    {pkg.remark && ` · ${pkg.remark}`}
                  </>
                ),
              }))}
            />
          </div>
          {upload}
        </>
      )}
    </EditDialog>
  )
}
