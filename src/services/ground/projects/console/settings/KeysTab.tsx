import Badge from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type DevProjectView, type KeyView, keyApi } from '../project-calls.ts'
import { NewKey } from './NewKey.tsx'
import { ShownKey } from './ShownKey.tsx'

const tones: Record<KeyView['state'], Tone> = {
  ACTIVE: 'good',
  DISABLED: 'off',
  REVOKED: 'stopped',
  EXPIRED: 'caution',
}

export function KeysTab({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId } = project
  const [isMaking, setMaking] = useState(false)
  const [shown, setShown] = useState<string | null>(null)
  const [doomed, setDoomed] = useState<KeyView | null>(null)
  const table = useTableState({ id: 'api-keys' })
  const result = useCall(keyApi.listApiKeys, { query: { projectId } })
  const change = useAction(keyApi.changeApiKey, {
    onDone: answer => {
      setDoomed(null)
      if (answer.apiKey) setShown(answer.apiKey)
    },
  })
  const act = (row: KeyView, action: 'enable' | 'disable' | 'rotate' | 'revoke') =>
    void change.run({ body: { projectId, keyId: row.keyId, revision: row.revision, action } })
  const actions = (row: KeyView) =>
    row.state !== 'REVOKED' && (
      <ButtonDropdown
        variant="inline-icon"
        ariaLabel={t('keys.actionsOf', { name: row.name })}
        expandToViewport
        items={[
          row.state === 'DISABLED'
            ? { id: 'enable', text: t('keys.enable') }
            : { id: 'disable', text: t('keys.disable') },
          { id: 'rotate', text: t('keys.rotate') },
          { id: 'revoke', text: t('keys.revoke') },
        ]}
        onItemClick={({ detail }) =>
          detail.id === 'revoke' ? setDoomed(row) : act(row, detail.id as 'enable' | 'disable' | 'rotate')
        }
      />
    )
  return (
    <>
      <DataTable
        title={t('settings.tabs.keys')}
        table={table}
        result={wholeList(result)}
        rowKey={row => row.keyId}
        rowName={row => row.name}
        empty={{ title: t('keys.empty'), text: t('keys.text') }}
        actions={
          <Can call={keyApi.createApiKey}>
            <Button data-action="create-key" onClick={() => setMaking(true)}>
              {t('keys.create')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'name',
            header: t('projects.name'),
            isName: true,
            minWidth: 180,
            cell: row => <span translate="no">{row.name}</span>,
          },
          { id: 'prefix', header: t('keys.prefix'), width: 150, cell: row => <code>{row.prefix}…</code> },
          {
            id: 'limits',
            header: t('keys.limits'),
            minWidth: 200,
            cell: row =>
              [...row.apis, ...row.packageNames].map(one => <Badge key={one}>{one}</Badge>).slice(0, 5) || null,
          },
          {
            id: 'state',
            header: t('files.state'),
            width: 150,
            cell: row => <StatusBadge tone={tones[row.state]} text={t(`keys.states.${row.state}`)} />,
          },
          {
            id: 'ends',
            header: t('keys.ends'),
            width: 160,
            cell: row => (row.expireAt === null ? t('keys.never') : <When at={row.expireAt} />),
          },
          ...(may('projects.secrets')
            ? [{ id: 'actions', header: t('properties.actions'), width: 110, cell: actions }]
            : []),
        ]}
      />
      {isMaking && (
        <NewKey
          projectId={projectId}
          onClose={() => setMaking(false)}
          onMade={apiKey => {
            setMaking(false)
            setShown(apiKey)
          }}
        />
      )}
      {shown && <ShownKey apiKey={shown} onClose={() => setShown(null)} />}
      {doomed && (
        <ConfirmByName
          title={t('keys.revokeTitle', { name: doomed.name })}
          name={doomed.name}
          verb={t('keys.revoke')}
          isRunning={change.isRunning}
          onConfirm={() => act(doomed, 'revoke')}
          onCancel={() => setDoomed(null)}
        >
          {t('keys.revokeText')}
        </ConfirmByName>
      )}
    </>
  )
}
