import '../api-clients.css'
import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type OauthView, oauthApi, toneOf } from '../client-calls.ts'
import { credentialFile } from '../credential-file.ts'
import { SecretOnce } from '../SecretOnce.tsx'
import { OauthForm } from './OauthForm.tsx'

/** The OAuth clients of one app. */
export default function OauthPage() {
  const { t } = useTranslation('ground/api-clients')
  const appId = usePageParam('appId')
  const table = useTableState({ id: 'oauth-clients' })
  const [edited, setEdited] = useState<OauthView | 'new' | null>(null)
  const [doomed, setDoomed] = useState<OauthView | null>(null)
  const [shown, setShown] = useState<{ client: OauthView; secret: string } | null>(null)
  const result = useCall(oauthApi.listAppClients, { query: { appId } })
  const list = result.data?.list
  const show = (answer: { client: OauthView; clientSecret: string | null }) => {
    setEdited(null)
    if (answer.clientSecret !== null) setShown({ client: answer.client, secret: answer.clientSecret })
  }
  const update = useAction(oauthApi.updateAppClient, { onDone: show })
  const remove = useAction(oauthApi.deleteAppClient, { onDone: () => setDoomed(null) })
  const act = (row: OauthView, id: string) => {
    if (id === 'edit') return setEdited(row)
    if (id === 'delete') return setDoomed(row)
    const { clientId, revision } = row
    return void update.run({ body: { appId, clientId, revision, action: id as 'enable' | 'disable' | 'rotate' } })
  }
  const create = (
    <Can call={oauthApi.createAppClient}>
      <Button variant="primary" data-action="create" onClick={() => setEdited('new')}>
        {t('oauth.create')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('oauth.title')} description={t('oauth.text')} />
      <DataTable
        title={t('oauth.title')}
        table={table}
        result={{ ...result, data: list && { total: list.length, list, nextCursor: null } }}
        rowKey={row => row.clientId}
        rowName={row => row.name}
        empty={{ title: t('empty.oauth'), text: t('emptyText.oauth'), action: create }}
        actions={create}
        columns={[
          {
            id: 'name',
            header: t('list.name'),
            isName: true,
            minWidth: 170,
            cell: row => (
              <span translate="no">
                {row.name}
                <br />
                <span className="lg-soft">{row.clientId}</span>
              </span>
            ),
          },
          {
            id: 'redirects',
            header: t('oauth.redirects'),
            minWidth: 190,
            cell: row => (
              <span className="clients-break" translate="no">
                {row.redirectUris.join(', ') || '–'}
              </span>
            ),
          },
          { id: 'scopes', header: t('oauth.scopes'), minWidth: 130, cell: row => row.scopes.join(', ') },
          {
            id: 'kind',
            header: t('grants.kind'),
            width: 150,
            cell: row => (row.isPublic ? t('oauth.public') : t('oauth.confidential')),
          },
          {
            id: 'state',
            header: t('list.state'),
            width: 130,
            cell: row => <StatusBadge tone={toneOf[row.state]} text={t(`states.${row.state}`)} />,
          },
          { id: 'changed', header: t('oauth.changed'), width: 170, cell: row => <When at={row.updatedAt} /> },
          ...(may('apiClients.edit')
            ? [
                {
                  id: 'actions',
                  header: t('actions.more'),
                  width: 100,
                  cell: (row: OauthView) => (
                    <ButtonDropdown
                      variant="inline-icon"
                      ariaLabel={t('oauth.actionsOf', { name: row.name })}
                      expandToViewport
                      items={[
                        { id: 'edit', text: t('actions.edit') },
                        ...(row.isPublic ? [] : [{ id: 'rotate', text: t('actions.rotate') }]),
                        row.state === 'ACTIVE'
                          ? { id: 'disable', text: t('actions.disable') }
                          : { id: 'enable', text: t('actions.enable') },
                        { id: 'delete', text: t('actions.delete') },
                      ]}
                      onItemClick={({ detail }) => act(row, detail.id)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {edited && (
        <OauthForm
          appId={appId}
          client={edited === 'new' ? null : edited}
          onDone={show}
          onClose={() => setEdited(null)}
        />
      )}
      {shown && (
        <SecretOnce
          title={t('secret.titleOf', { name: shown.client.name })}
          secret={shown.secret}
          file={credentialFile(shown.client, shown.secret)}
          onClose={() => setShown(null)}
        />
      )}
      {doomed && (
        <ConfirmByName
          title={t('actions.deleteTitle', { name: doomed.name })}
          name={doomed.name}
          verb={t('actions.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { appId, clientId: doomed.clientId } })}
          onCancel={() => setDoomed(null)}
        >
          {t('oauth.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
