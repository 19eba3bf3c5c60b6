import '../packages.css'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallInput } from '../../../../../console/client.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { claimDesk } from '../../claims/contract.ts'
import { claimStates } from '../../claims/rules.ts'
import { type ClaimView, claimDeskCalls } from '../package-calls.ts'
import { claimTones } from './claim-words.ts'

type Wish = NonNullable<CallInput<typeof claimDesk.calls.listOpenClaims>['query']>

/** Claims that people of the store decide: objected ones, and those by documents. */
export default function ClaimDeskPage() {
  const { t } = useTranslation('distribute/packages')
  const [open, setOpen] = useState<ClaimView | null>(null)
  const table = useTableState<'state'>({ id: 'claim-desk', filters: ['state'] })
  const query = { ...table.page, ...table.filters } as Wish
  const result = useCall(claimDeskCalls.listOpenClaims, { query }, { keepBefore: true })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('claims.deskTitle')} description={t('claims.deskText')} />
      <DataTable
        title={t('claims.list')}
        table={table}
        result={result}
        rowKey={row => row.claimId}
        rowName={row => row.packageName}
        columns={[
          { id: 'name', header: t('facts.packageName'), isName: true, minWidth: 220, cell: row => row.packageName },
          {
            id: 'state',
            header: t('table.state'),
            width: 200,
            cell: row => <StatusBadge tone={claimTones[row.state]} text={t(`claims.states.${row.state}`)} />,
          },
          {
            id: 'word',
            header: t('claims.words'),
            minWidth: 260,
            cell: row => [row.evidence, row.objection].filter(Boolean).join(' — ') || '–',
          },
          { id: 'created', header: t('claims.created'), width: 155, cell: row => <When at={row.createdAt} /> },
          {
            id: 'decide',
            header: t('claims.verdict'),
            width: 130,
            cell: row =>
              row.allowedActions.includes('grant') ? (
                <Button data-action="decideClaim" onClick={() => setOpen(row)}>
                  {t('claims.decide')}
                </Button>
              ) : (
                '–'
              ),
          },
        ]}
        filters={[
          {
            id: 'state',
            label: t('table.state'),
            options: claimStates.map(state => ({ value: state, label: t(`claims.states.${state}`) })),
          },
        ]}
        empty={{ title: t('claims.deskEmpty') }}
      />
      {open && <Decision one={open} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}

function Decision({ one, onClose }: { one: ClaimView; onClose: () => void }) {
  const { t } = useTranslation('distribute/packages')
  const { claimId, revision } = one
  const form = useContractForm(claimDesk.calls.decideClaim.body, { claimId, verdict: 'refuse', note: '', revision })
  const act = useAction(claimDeskCalls.decideClaim, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={one.packageName} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={values => act.run({ body: values })}
        submitLabel={t('claims.decide')}
        onCancel={onClose}
      >
        <SelectField
          of={form}
          name="verdict"
          label={t('claims.verdict')}
          options={(['grant', 'refuse'] as const).map(value => ({ value, label: t(`claims.verdicts.${value}`) }))}
        />
        <TextAreaField of={form} name="note" rows={3} label={t('claims.note')} hint={t('claims.noteHint')} />
      </ContractFormBox>
    </Modal>
  )
}
