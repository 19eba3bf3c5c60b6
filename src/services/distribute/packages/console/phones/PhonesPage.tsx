import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { CallInput } from '../../../../../console/client.ts'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { phones } from '../../phones/contract.ts'
import { phoneCalls } from '../package-calls.ts'
import { type ModelFilter, ModelTable } from './ModelTable.tsx'

type Wish = NonNullable<CallInput<typeof phones.calls.listPhones>['query']>

/** Models of devices that packages are held against. */
export default function PhonesPage() {
  const { t } = useTranslation('distribute/packages')
  const table = useTableState<ModelFilter>({ id: 'phones', filters: ['brand', 'os'] })
  const query = { ...table.page, ...table.filters, search: table.search } as Wish
  const result = useCall(phoneCalls.listPhones, { query }, { keepBefore: true })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('phones.title')} description={t('phones.text')} />
      <ModelTable table={table} result={result} />
    </SpaceBetween>
  )
}
