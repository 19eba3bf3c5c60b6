import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import type { Language } from '../../../../../console/language.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { serviceNamed } from '../../services/rules.ts'
import { interfaceState, interfaceStates, interfaceTones } from '../interface-states.ts'
import { type ApiView, type DevProjectView, switchApi } from '../project-calls.ts'

/** Which interfaces answer the keys of the project: opened and closed one by one, or many at once. */
export function InterfacesTab({ project }: { project: DevProjectView }) {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const { projectId } = project
  const [chosen, setChosen] = useState<ApiView[]>([])
  const [doomed, setDoomed] = useState<readonly ApiView[]>([])
  const table = useTableState<'state'>({ id: 'project-apis', filters: ['state'] })
  const result = useCall(switchApi.getApiService, { query: { projectId } })
  const act = useAction(switchApi.setApiService, {
    onDone: () => {
      setChosen([])
      setDoomed([])
    },
  })
  const turn = (rows: readonly ApiView[], isEnabled: boolean) =>
    void act.run({ body: { projectId, apis: rows.map(row => ({ apiId: row.apiId as 'publishing', isEnabled })) } })
  const { search, filters } = table
  const isShown = (row: ApiView) =>
    (filters.state === undefined || interfaceState(row) === filters.state) &&
    `${row.apiId} ${row.name[language]}`.toLowerCase().includes(search.trim().toLowerCase())
  const canEdit = may('projects.edit')
  const service = ({ serviceId, isWaiting }: ApiView) => {
    if (serviceId === null) return t('interfaces.noService')
    const name = serviceNamed(serviceId)?.name[language] ?? serviceId
    if (!isWaiting) return name
    return <Link href={hrefOf('/projects/$projectId/services', { projectId })}>{t('interfaces.turnOn', { name })}</Link>
  }
  return (
    <>
      <DataTable
        title={t('settings.tabs.interfaces')}
        table={table}
        result={wholeList(result, isShown)}
        rowKey={row => row.apiId}
        rowName={row => row.name[language]}
        searchLabel={t('interfaces.search')}
        filters={[
          {
            id: 'state',
            label: t('files.state'),
            options: interfaceStates.map(value => ({ value, label: t(`interfaces.states.${value}`) })),
          },
        ]}
        empty={{ title: t('interfaces.empty') }}
        {...(canEdit && { selection: { type: 'multi' as const, rows: chosen, onChange: setChosen } })}
        actions={
          chosen.length > 0 && (
            <>
              <Button data-action="close-apis" loading={act.isRunning} onClick={() => setDoomed(chosen)}>
                {t('interfaces.closeMany', { count: chosen.length })}
              </Button>
              <Button
                variant="primary"
                data-action="open-apis"
                loading={act.isRunning}
                onClick={() => turn(chosen, true)}
              >
                {t('interfaces.openMany', { count: chosen.length })}
              </Button>
            </>
          )
        }
        columns={[
          {
            id: 'name',
            header: t('interfaces.name'),
            isName: true,
            minWidth: 200,
            cell: row => row.name[language],
          },
          {
            id: 'state',
            header: t('files.state'),
            width: 250,
            cell: row => (
              <StatusBadge
                tone={interfaceTones[interfaceState(row)]}
                text={t(`interfaces.states.${interfaceState(row)}`)}
              />
            ),
          },
          { id: 'service', header: t('services.name'), minWidth: 210, cell: service },
          { id: 'since', header: t('interfaces.since'), width: 180, cell: row => <When at={row.enabledAt} /> },
          ...(canEdit
            ? [
                {
                  id: 'switch',
                  header: t('interfaces.switch'),
                  width: 130,
                  cell: (row: ApiView) => (
                    <Toggle
                      checked={row.isEnabled}
                      disabled={act.isRunning}
                      ariaLabel={t('interfaces.switchOf', { name: row.name[language] })}
                      onChange={({ detail }) => (detail.checked ? turn([row], true) : setDoomed([row]))}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {doomed.length > 0 && (
        <DialogBox
          title={t('interfaces.closeMany', { count: doomed.length })}
          verb={t('interfaces.closeMany', { count: doomed.length })}
          action="close-apis"
          isRunning={act.isRunning}
          onSubmit={() => turn(doomed, false)}
          onClose={() => setDoomed([])}
        >
          <Box>{doomed.map(row => row.name[language]).join(', ')}</Box>
          <Alert type="warning">{t('interfaces.closeText')}</Alert>
        </DialogBox>
      )}
    </>
  )
}
