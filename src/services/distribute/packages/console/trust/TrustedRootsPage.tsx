import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallInput } from '../../../../../console/client.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { trustDesk } from '../../trust/contract.ts'
import { trustPurposes } from '../../trust/rules.ts'
import { Copied } from '../detail/Copied.tsx'
import { type TrustedRootView, trustCalls } from '../package-calls.ts'
import { NewRoots } from './NewRoots.tsx'

type Wish = NonNullable<CallInput<typeof trustDesk.calls.listTrustedRoots>['query']>

/** Authorities whose word the store takes for who signed packages. */
export default function TrustedRootsPage() {
  const { t } = useTranslation('distribute/packages')
  const [isNew, setNew] = useState(false)
  const [leaving, setLeaving] = useState<TrustedRootView | null>(null)
  const table = useTableState<'purpose'>({ id: 'trusted-roots', filters: ['purpose'] })
  const query = { ...table.page, ...table.filters } as Wish
  const result = useCall(trustCalls.listTrustedRoots, { query }, { keepBefore: true })
  const remove = useAction(trustCalls.removeTrustedRoot, { onDone: () => setLeaving(null) })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('trust.title')} description={t('trust.text')} />
      <DataTable
        title={t('trust.list')}
        table={table}
        result={result}
        rowKey={row => row.rootId}
        rowName={row => row.subject}
        actions={
          <Button variant="primary" data-action="addTrustedRoots" onClick={() => setNew(true)}>
            {t('trust.new')}
          </Button>
        }
        columns={[
          {
            id: 'subject',
            header: t('trust.root'),
            isName: true,
            minWidth: 260,
            cell: row => (
              <span translate="no">
                {row.subject}
                <br />
                <Copied text={row.certSha256} isDigest />
              </span>
            ),
          },
          { id: 'purpose', header: t('trust.purpose'), width: 200, cell: row => t(`trust.purposes.${row.purpose}`) },
          {
            id: 'valid',
            header: t('signers.valid'),
            width: 320,
            cell: row => (
              <>
                <When at={row.notBefore} /> – <When at={row.notAfter} />
              </>
            ),
          },
          {
            id: 'remove',
            header: t('trust.change'),
            width: 180,
            cell: row => (
              <Button data-action="removeTrustedRoot" onClick={() => setLeaving(row)}>
                {t('trust.remove')}
              </Button>
            ),
          },
        ]}
        filters={[
          {
            id: 'purpose',
            label: t('trust.purpose'),
            options: trustPurposes.map(value => ({ value, label: t(`trust.purposes.${value}`) })),
          },
        ]}
        empty={{ title: t('trust.empty'), text: t('trust.emptyText') }}
      />
      {isNew && <NewRoots onClose={() => setNew(false)} />}
      {leaving && (
        <ConfirmByName
          title={t('trust.removeTitle')}
          name={leaving.subject}
          verb={t('trust.remove')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { rootId: leaving.rootId } })}
          onCancel={() => setLeaving(null)}
        >
          {t('trust.removeText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
