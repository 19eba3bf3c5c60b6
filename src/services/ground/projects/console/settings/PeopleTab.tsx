import Button from '@cloudscape-design/components/button'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { ThingIcon } from '../../../../../console/kit/ThingIcon.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ProjectRole, projectRoles } from '../../members/rules.ts'
import { type DevProjectView, type PersonView, peopleApi } from '../project-calls.ts'
import { AddPerson } from './AddPerson.tsx'

export function PeopleTab({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId } = project
  const [isAdding, setAdding] = useState(false)
  const table = useTableState({ id: 'project-people' })
  const result = useCall(peopleApi.listProjectMembers, { query: { projectId } })
  const change = useAction(peopleApi.changeProjectMember)
  const remove = useAction(peopleApi.removeProjectMember)
  const roles = projectRoles.map(value => ({ value, label: t(`people.roles.${value}`) }))
  const role = (row: PersonView) =>
    may('projects.edit') ? (
      <Select
        ariaLabel={t('people.roleOf', { name: row.name })}
        selectedOption={roles.find(one => one.value === row.role) ?? null}
        options={roles}
        onChange={({ detail }) => {
          const { accountId, revision } = row
          const wanted = detail.selectedOption.value as ProjectRole
          void change.run({ body: { projectId, accountId, revision, role: wanted } })
        }}
      />
    ) : (
      t(`people.roles.${row.role}`)
    )
  return (
    <>
      <DataTable
        title={t('people.title')}
        table={table}
        result={wholeList(result)}
        rowKey={row => row.accountId}
        rowName={row => row.name}
        empty={{ title: t('people.empty'), text: t('people.text') }}
        actions={
          <Can call={peopleApi.addProjectMembers}>
            <Button data-action="add-person" onClick={() => setAdding(true)}>
              {t('people.add')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'name',
            header: t('people.name'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <span className="lg-thing-line">
                <ThingIcon name={row.name} />
                <span>{row.name}</span>
              </span>
            ),
          },
          { id: 'role', header: t('people.role'), minWidth: 180, cell: role },
          { id: 'added', header: t('people.added'), width: 170, cell: row => <When at={row.addedAt} /> },
          ...(may('projects.edit')
            ? [
                {
                  id: 'actions',
                  header: t('properties.actions'),
                  width: 130,
                  cell: (row: PersonView) => (
                    <Button
                      variant="inline-link"
                      data-action="remove-person"
                      onClick={() => void remove.run({ query: { projectId, accountId: row.accountId } })}
                    >
                      {t('people.remove')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {isAdding && (
        <AddPerson
          projectId={projectId}
          inIt={result.data?.list.map(row => row.accountId) ?? []}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}
