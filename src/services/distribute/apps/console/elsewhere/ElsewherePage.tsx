import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { ThingIcon } from '../../../../../console/kit/ThingIcon.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { ElsewhereDialog } from './ElsewhereDialog.tsx'
import { type NonAgView, nonAgCalls } from './elsewhere-calls.ts'

/** Platforms whose apps can be managed here, once their package name is claimed. */
const claimable = ['ANDROID', 'HARMONY']

/** Apps the team has in other stores. */
export default function ElsewherePage() {
  const { t } = useTranslation('distribute/apps')
  const [open, setOpen] = useState<NonAgView | 'new' | null>(null)
  const table = useTableState({ id: 'elsewhere' })
  const result = useCall(
    nonAgCalls.listNonAgApps,
    { query: { ...table.page, ...(table.search && { search: table.search }) } },
    { keepBefore: true },
  )
  const add = (
    <Can call={nonAgCalls.updateNonAgApp}>
      <Button variant="primary" onClick={() => setOpen('new')}>
        {t('elsewhere.add')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('elsewhere.title')} description={t('elsewhere.text')} />
      <DataTable
        title={t('elsewhere.title')}
        table={table}
        result={result}
        rowKey={app => app.id}
        rowName={app => app.appName}
        searchLabel={t('elsewhere.search')}
        empty={{ title: t('elsewhere.empty') }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('elsewhere.name'),
            isName: true,
            minWidth: 220,
            cell: app => (
              <span className="lg-thing-line">
                <ThingIcon name={app.appName} />
                <span>
                  {app.storeUrl ? <OutsideLink href={app.storeUrl}>{app.appName}</OutsideLink> : app.appName}
                  <div className="lg-soft">{app.packageName}</div>
                </span>
              </span>
            ),
          },
          { id: 'platform', header: t('elsewhere.platform'), cell: app => t(`elsewhere.platforms.${app.platform}`) },
          {
            id: 'claim',
            header: t('elsewhere.here'),
            cell: app =>
              claimable.includes(app.platform) ? (
                <Can may="packages.upload">
                  <Link href={hrefOf('/claims')}>{t('elsewhere.claim')}</Link>
                </Can>
              ) : (
                '–'
              ),
          },
          {
            id: 'updated',
            header: t('elsewhere.updated'),
            cell: app => <When at={app.updatedAt} show="relative" />,
          },
          {
            id: 'edit',
            header: t('elsewhere.edit'),
            cell: app => (
              <Can call={nonAgCalls.updateNonAgApp}>
                <Button
                  variant="inline-link"
                  ariaLabel={`${t('elsewhere.edit')}: ${app.appName}`}
                  onClick={() => setOpen(app)}
                >
                  {t('elsewhere.edit')}
                </Button>
              </Can>
            ),
          },
        ]}
      />
      {open && <ElsewhereDialog app={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
