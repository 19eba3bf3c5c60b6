import CollectionPreferences from '@cloudscape-design/components/collection-preferences'
import { useTranslation } from 'react-i18next'
import type { TablePreferences } from './table-state.ts'

interface OpenTableSettingsProps {
  table: { preferences: TablePreferences; setPreferences: (next: TablePreferences) => void }
  columns: readonly { id: string; header: string; isName?: boolean }[]
}

/** The component opens by its own button only, which stands where the one was that asked for it. */
function openAtOnce(place: HTMLElement | null): void {
  place?.querySelector('button')?.click()
}

/** Page size, columns, wrapping and density, kept in this browser for each table. */
export default function OpenTableSettings({ table, columns }: OpenTableSettingsProps) {
  const { t } = useTranslation()
  const { preferences } = table
  return (
    <span ref={openAtOnce}>
      <CollectionPreferences
        title={t('table.settings')}
        preferences={{
          pageSize: preferences.pageSize,
          wrapLines: preferences.isWrapped,
          contentDensity: preferences.isCompact ? 'compact' : 'comfortable',
          visibleContent: columns.map(column => column.id).filter(id => !preferences.hidden.includes(id)),
        }}
        pageSizePreference={{
          options: [10, 20, 50, 100].map(value => ({ value, label: t('table.rows', { count: value }) })),
        }}
        wrapLinesPreference={{}}
        contentDensityPreference={{}}
        visibleContentPreference={{
          title: t('table.columns'),
          options: [
            {
              label: t('table.columnGroup'),
              options: columns.map(({ id, header, isName }) => ({ id, label: header, editable: !isName })),
            },
          ],
        }}
        onConfirm={({ detail }) =>
          table.setPreferences({
            pageSize: detail.pageSize ?? 20,
            isWrapped: detail.wrapLines ?? false,
            isCompact: detail.contentDensity === 'compact',
            hidden: columns.map(column => column.id).filter(id => !(detail.visibleContent ?? []).includes(id)),
          })
        }
      />
    </span>
  )
}
