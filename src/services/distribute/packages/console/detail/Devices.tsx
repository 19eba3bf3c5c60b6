import { useTranslation } from 'react-i18next'
import type { CallInput } from '../../../../../console/client.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { phones } from '../../phones/contract.ts'
import { type PackageView, phoneCalls } from '../package-calls.ts'

type Wish = NonNullable<CallInput<typeof phones.calls.listPhones>['query']>

/** Which of the models that people have can install the package, and why others cannot. */
export function Devices({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const table = useTableState<'brand' | 'fits'>({ id: 'package-devices', filters: ['brand', 'fits'] })
  const query = { pkgId: one.pkgId, ...table.page, ...table.filters, search: table.search } as Wish
  const result = useCall(phoneCalls.listPhones, { query }, { keepBefore: true })
  const { fitting = null, matching = 0, brands = [] } = result.data ?? {}
  if (one.kind === 'EXE' || one.kind === 'OBB') return null
  return (
    <DataTable
      title={fitting === null ? t('devices.title') : t('devices.text', { fitting, count: matching })}
      table={table}
      result={result}
      rowKey={row => row.model}
      rowName={row => row.name}
      searchLabel={t('devices.search')}
      columns={[
        {
          id: 'name',
          header: t('devices.model'),
          isName: true,
          minWidth: 180,
          cell: row => (
            <span>
              {row.brand} {row.name}
              <br />
              <span className="lg-soft">{row.model}</span>
            </span>
          ),
        },
        {
          id: 'fits',
          header: t('devices.fits'),
          width: 260,
          cell: row =>
            row.misfit === null ? (
              <StatusBadge tone="good" text={t('devices.yes')} />
            ) : (
              <StatusBadge tone="stopped" text={t(`devices.misfits.${row.misfit}`)} />
            ),
        },
        { id: 'sdk', header: t('devices.sdk'), width: 110, cell: row => row.sdk },
        { id: 'abis', header: t('facts.abis'), width: 220, cell: row => row.abis.join(', ') },
      ]}
      filters={[
        { id: 'brand', label: t('devices.brand'), options: brands.map(brand => ({ value: brand, label: brand })) },
        {
          id: 'fits',
          label: t('devices.fits'),
          options: [
            { value: 'YES', label: t('facts.yes') },
            { value: 'NO', label: t('facts.no') },
          ],
        },
      ]}
      empty={{ title: t('devices.empty') }}
    />
  )
}
