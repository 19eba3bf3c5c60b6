import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallInput } from '../../../../../console/client.ts'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { phoneDesk } from '../../phones/contract.ts'
import { phoneDeskCalls } from '../package-calls.ts'
import { type ModelFilter, ModelTable, type ModelView } from './ModelTable.tsx'
import { PhoneForm } from './PhoneForm.tsx'

type Wish = NonNullable<CallInput<typeof phoneDesk.calls.listModels>['query']>

/** The catalogue of devices, as the store keeps it. */
export default function PhoneDeskPage() {
  const { t } = useTranslation('distribute/packages')
  const [open, setOpen] = useState<ModelView | 'new' | null>(null)
  const table = useTableState<ModelFilter>({ id: 'phone-desk', filters: ['brand', 'os'] })
  const query = { ...table.page, ...table.filters, search: table.search } as Wish
  const result = useCall(phoneDeskCalls.listModels, { query }, { keepBefore: true })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('phones.title')} description={t('phones.deskText')} />
      <ModelTable
        table={table}
        result={result}
        nameOf={row => (
          <Button variant="inline-link" onClick={() => setOpen(row)}>
            {row.brand} {row.name}
          </Button>
        )}
        actions={
          <Button variant="primary" data-action="newPhone" onClick={() => setOpen('new')}>
            {t('phones.new')}
          </Button>
        }
      />
      {open && <PhoneForm one={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
