import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { MethodView } from '../../settings/contract.ts'
import { settingsApi } from '../auth-calls.ts'
import { providerText } from '../providers.ts'
import { MethodDialog } from './MethodDialog.tsx'
import { QuickLoginsBox } from './QuickLoginsBox.tsx'

/** The ways in of a project. */
export function MethodsTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/app-auth')
  const [chosen, setChosen] = useState<MethodView | null>(null)
  const table = useTableState({ id: 'app-auth-methods' })
  const found = useCall(settingsApi.listMethods, { query: { projectId } })
  const set = useAction(settingsApi.updateMethod)
  const flip = (row: MethodView) => {
    if (row.kind !== 'own' && !row.enabled) return setChosen(row)
    const revision = row.revision === 0 ? {} : { revision: row.revision }
    void set.run({ body: { projectId, provider: row.provider, enabled: !row.enabled, ...revision } })
  }
  return (
    <SpaceBetween size="l">
      <DataTable
        title={t('tabs.methods')}
        table={table}
        result={wholeList(found)}
        rowKey={row => String(row.provider)}
        rowName={row => providerText(t, row.provider)}
        empty={{ title: t('tabs.methods') }}
        columns={[
          {
            id: 'name',
            header: t('users.provider'),
            isName: true,
            minWidth: 170,
            cell: row => providerText(t, row.provider),
          },
          { id: 'kind', header: t('methods.how'), minWidth: 240, cell: row => t(`kinds.${row.kind}`) },
          {
            id: 'state',
            header: t('users.state'),
            width: 160,
            cell: row => <StatusBadge tone={row.enabled ? 'good' : 'off'} text={row.enabled ? t('on') : t('off')} />,
          },
          {
            id: 'users',
            header: t('charts.users'),
            width: 160,
            cell: row => row.users.toLocaleString(i18n.resolvedLanguage),
          },
          {
            id: 'actions',
            header: t('actions'),
            minWidth: 200,
            cell: row => (
              <Can call={settingsApi.updateMethod}>
                <SpaceBetween direction="horizontal" size="s">
                  <Button
                    variant="inline-link"
                    data-action={row.enabled ? 'off' : 'on'}
                    ariaLabel={`${providerText(t, row.provider)}: ${row.enabled ? t('turnOff') : t('turnOn')}`}
                    onClick={() => flip(row)}
                  >
                    {row.enabled ? t('turnOff') : t('turnOn')}
                  </Button>
                  {row.kind !== 'own' && (
                    <Button
                      variant="inline-link"
                      data-action="set-up"
                      ariaLabel={`${providerText(t, row.provider)}: ${t('methods.setUp')}`}
                      onClick={() => setChosen(row)}
                    >
                      {t('methods.setUp')}
                    </Button>
                  )}
                </SpaceBetween>
              </Can>
            ),
          },
        ]}
      />
      <QuickLoginsBox projectId={projectId} />
      {chosen && <MethodDialog projectId={projectId} method={chosen} onClose={() => setChosen(null)} />}
    </SpaceBetween>
  )
}
