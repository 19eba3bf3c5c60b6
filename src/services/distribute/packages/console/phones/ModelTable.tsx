import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, type DataTableProps } from '../../../../../console/kit/DataTable.tsx'
import type { TableState } from '../../../../../console/kit/table-state.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import type { phoneDesk } from '../../phones/contract.ts'

export type ModelView = Static<typeof phoneDesk.calls.savePhone.answer>
export type ModelFilter = 'brand' | 'os'
export const systems = { ANDROID: 'Android', HARMONY: 'HarmonyOS' } as const

interface ModelTableProps {
  table: TableState<ModelFilter>
  result: DataTableProps<ModelView, ModelFilter>['result'] & { data?: { brands: string[] } | undefined }
  nameOf?: (row: ModelView) => ReactNode
  actions?: ReactNode
}

/** The catalogue of devices: what the store holds packages against. */
export function ModelTable({ table, result, nameOf, actions }: ModelTableProps) {
  const { t } = useTranslation('distribute/packages')
  // Some names say their brand already.
  const plain = (row: ModelView) => (row.name.startsWith(row.brand) ? row.name : `${row.brand} ${row.name}`)
  return (
    <DataTable
      title={t('phones.list')}
      table={table}
      result={result}
      rowKey={row => row.model}
      rowName={plain}
      searchLabel={t('devices.search')}
      actions={actions}
      columns={[
        {
          id: 'name',
          header: t('devices.model'),
          isName: true,
          minWidth: 200,
          cell: row => (
            <span translate="no">
              {nameOf ? nameOf(row) : plain(row)}
              <br />
              <span className="lg-soft">{row.model}</span>
            </span>
          ),
        },
        { id: 'os', header: t('phones.system'), width: 140, cell: row => systems[row.os] },
        { id: 'sdk', header: t('devices.sdk'), width: 110, cell: row => row.sdk },
        { id: 'abis', header: t('facts.abis'), width: 260, cell: row => row.abis.join(', ') },
        {
          id: 'screen',
          header: t('phones.screen'),
          width: 190,
          cell: row => t('phones.screenText', { width: row.width, height: row.height, density: row.density }),
        },
        {
          id: 'ram',
          header: t('phones.memory'),
          width: 110,
          cell: row => t('phones.memoryText', { size: row.ramMegabytes }),
        },
      ]}
      filters={[
        {
          id: 'brand',
          label: t('devices.brand'),
          options: (result.data?.brands ?? []).map(brand => ({ value: brand, label: brand })),
        },
        {
          id: 'os',
          label: t('phones.system'),
          options: Object.entries(systems).map(([value, label]) => ({ value, label })),
        },
      ]}
      empty={{ title: t('devices.empty') }}
    />
  )
}
