import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, useGo } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { ruleSets } from '../../rule-sets/contract.ts'
import { setsApi } from '../targeting-calls.ts'
import { SetState } from './SetState.tsx'

/** The rule sets of a project. */
export function RuleSetsTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('grow/targeting')
  const table = useTableState({ id: 'targeting-sets' })
  const [isAdding, setAdding] = useState(false)
  const query = { projectId, ...table.page, search: table.search }
  const result = useCall(setsApi.listRuleSets, { query }, { keepBefore: true })
  const add = (
    <Can call={setsApi.createRuleSet}>
      <Button variant="primary" data-action="create" onClick={() => setAdding(true)}>
        {t('sets.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.sets')}
        table={table}
        result={result}
        rowKey={row => row.ruleSetId}
        rowName={row => row.name}
        searchLabel={t('sets.search')}
        empty={{ title: t('sets.empty'), text: t('sets.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <span translate="no">
                <Link href={hrefOf('/targeting/rule-sets/$ruleSetId', { ruleSetId: row.ruleSetId }, { projectId })}>
                  {row.name}
                </Link>
                <br />
                <code className="lg-soft">{row.code}</code>
              </span>
            ),
          },
          { id: 'state', header: t('state'), width: 210, cell: row => <SetState set={row} /> },
          {
            id: 'rules',
            header: t('sets.rules'),
            width: 110,
            cell: row => row.ruleCount.toLocaleString(i18n.resolvedLanguage),
          },
          { id: 'changed', header: t('changed'), width: 180, cell: row => <When at={row.updatedAt} /> },
        ]}
      />
      {isAdding && <NewRuleSet projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  )
}

function NewRuleSet({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('grow/targeting')
  const go = useGo()
  const form = useContractForm(ruleSets.calls.createRuleSet.body, { projectId, code: '', name: '', description: '' })
  const create = useAction(setsApi.createRuleSet, {
    errors: 'form',
    onDone: ({ ruleSetId }) => go('/targeting/rule-sets/$ruleSetId', { ruleSetId }, { projectId }),
  })
  return (
    <Modal visible header={t('sets.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={create}
        submit={body => create.run({ body })}
        submitLabel={t('sets.add')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('name')} />
        <TextField of={form} name="code" label={t('sets.code')} hint={t('sets.codeHint')} />
        <TextField of={form} name="description" label={t('description')} />
      </ContractFormBox>
    </Modal>
  )
}
