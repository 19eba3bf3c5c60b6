import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { errorText } from '../../../../console/error-text.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { debugApi, grantApi } from './client-calls.ts'
import { SecretOnce } from './SecretOnce.tsx'

/** Own tokens for ten minutes and one project each. */
export function DebugTab() {
  const { t } = useTranslation('ground/api-clients')
  const [isMaking, setMaking] = useState(false)
  const table = useTableState({ id: 'debug-credentials' })
  const result = useCall(debugApi.listDebugCredentials, {}, { refetchInterval: 30_000 })
  const names = useProjects()
  const revoke = useAction(debugApi.revokeDebugCredential)
  const list = result.data?.list
  const create = (
    <Can call={debugApi.createDebugCredential}>
      <Button variant="primary" data-action="create-debug" onClick={() => setMaking(true)}>
        {t('debug.create')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.debug')}
        table={table}
        result={{ ...result, data: list && { total: list.length, list, nextCursor: null } }}
        rowKey={row => row.credentialId}
        rowName={row => row.credentialId}
        empty={{ title: t('empty.debug'), text: t('emptyText.debug'), action: create }}
        actions={create}
        columns={[
          {
            id: 'project',
            header: t('debug.project'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <span translate="no">
                {names.get(row.projectId) ?? row.projectId}
                <br />
                <span className="lg-soft">{row.credentialId}</span>
              </span>
            ),
          },
          {
            id: 'state',
            header: t('list.state'),
            width: 160,
            cell: row => (
              <StatusBadge
                tone={row.isRevoked ? 'off' : 'good'}
                text={row.isRevoked ? t('debug.revoked') : t('states.ACTIVE')}
              />
            ),
          },
          { id: 'zone', header: t('list.zones'), width: 110, cell: row => row.zone },
          { id: 'ends', header: t('list.ends'), width: 180, cell: row => <When at={row.expiresAt} show="relative" /> },
          {
            id: 'actions',
            header: t('actions.more'),
            width: 130,
            cell: row =>
              !row.isRevoked && (
                <Button
                  variant="inline-link"
                  data-action="revoke-debug"
                  onClick={() => void revoke.run({ query: { credentialId: row.credentialId } })}
                >
                  {t('debug.revoke')}
                </Button>
              ),
          },
        ]}
      />
      {isMaking && <NewDebugCredential onClose={() => setMaking(false)} />}
    </>
  )
}

function useProjects(): Map<string, string> {
  const found = useCall(grantApi.listGrantResources, { query: { pageSize: 100 } })
  return new Map((found.data?.projects.list ?? []).map(one => [one.projectId, one.name]))
}

function NewDebugCredential({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/api-clients')
  const [projectId, setProject] = useState<string | null>(null)
  const [token, setToken] = useState<{ accessToken: string; watermark: string } | null>(null)
  const options = [...useProjects()].map(([value, label]) => ({ value, label }))
  const create = useAction(debugApi.createDebugCredential, { errors: 'form', onDone: setToken })
  if (token) {
    const { accessToken, watermark } = token
    const file = { name: 'debug-token.json', content: { accessToken, watermark } }
    return <SecretOnce title={t('debug.made')} secret={accessToken} file={file} onClose={onClose} />
  }
  return (
    <DialogBox
      title={t('debug.create')}
      verb={t('action.create')}
      action="create-debug"
      isRunning={create.isRunning}
      canSubmit={projectId !== null}
      refusal={create.error && errorText(create.error)}
      onSubmit={() => projectId && void create.run({ body: { projectId } })}
      onClose={onClose}
    >
      <div>{t('debug.text')}</div>
      <FormField label={t('debug.project')}>
        <Select
          selectedOption={options.find(one => one.value === projectId) ?? null}
          options={options}
          filteringType="auto"
          placeholder={t('debug.choose')}
          empty={t('scope.none')}
          onChange={({ detail }) => setProject(detail.selectedOption.value ?? null)}
        />
      </FormField>
    </DialogBox>
  )
}
