import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { WholeRuleSet } from '../../rule-sets/contract.ts'
import { setsApi } from '../targeting-calls.ts'

/** What was published, and the way back to it. */
export function VersionsTab({ set }: { set: WholeRuleSet }) {
  const { t, i18n } = useTranslation('grow/targeting')
  const table = useTableState({ id: 'targeting-versions' })
  const params = { ruleSetId: set.ruleSetId }
  const result = useCall(setsApi.listRuleSetVersions, { params, query: table.page }, { keepBefore: true })
  const rollBack = useAction(setsApi.rollBackRuleSet)
  return (
    <DataTable
      title={t('setTabs.versions')}
      table={table}
      result={result}
      rowKey={row => String(row.version)}
      rowName={row => t('versions.one', { version: row.version })}
      empty={{ title: t('versions.empty'), text: t('versions.emptyText') }}
      columns={[
        {
          id: 'version',
          header: t('versions.version'),
          isName: true,
          minWidth: 180,
          cell: row =>
            row.version === set.publishedVersion ? (
              <StatusBadge tone="good" text={t('versions.now', { version: row.version })} />
            ) : (
              t('versions.one', { version: row.version })
            ),
        },
        {
          id: 'note',
          header: t('sets.note'),
          minWidth: 200,
          cell: row =>
            row.rollbackSource === null ? row.note : t('versions.rolledBack', { version: row.rollbackSource }),
        },
        {
          id: 'rules',
          header: t('sets.rules'),
          width: 100,
          cell: row => row.ruleCount.toLocaleString(i18n.resolvedLanguage),
        },
        { id: 'at', header: t('versions.at'), width: 180, cell: row => <When at={row.publishedAt} /> },
        {
          id: 'actions',
          header: t('actions'),
          width: 150,
          cell: row =>
            row.version !== set.publishedVersion && (
              <Can call={setsApi.rollBackRuleSet}>
                <Button
                  variant="inline-link"
                  data-action="roll-back"
                  ariaLabel={t('versions.goBackTo', { version: row.version })}
                  loading={rollBack.isRunning}
                  onClick={() => void rollBack.run({ params, body: { version: row.version, revision: set.revision } })}
                >
                  {t('versions.goBack')}
                </Button>
              </Can>
            ),
        },
      ]}
    />
  )
}
