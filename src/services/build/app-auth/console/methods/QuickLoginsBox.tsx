import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { settingsApi } from '../auth-calls.ts'

type Row = { carrier: string; appId: string; checkUrl: string; enabled: boolean; revision: number }

/** One-tap sign-in by carriers: whose phone a token is of is asked at an address, signed with the key. */
export function QuickLoginsBox({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/app-auth')
  const [chosen, setChosen] = useState<Row | 'new' | null>(null)
  const table = useTableState({ id: 'app-auth-carriers' })
  const found = useCall(settingsApi.listQuickLogins, { query: { projectId } })
  return (
    <>
      <DataTable
        title={t('quick.title')}
        table={table}
        result={wholeList(found)}
        rowKey={row => row.carrier}
        rowName={row => row.carrier}
        empty={{ title: t('quick.empty'), text: t('quick.text') }}
        actions={
          <Can call={settingsApi.createQuickLogin}>
            <Button data-action="add-carrier" onClick={() => setChosen('new')}>
              {t('quick.add')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'carrier',
            header: t('quick.carrier'),
            isName: true,
            minWidth: 170,
            cell: row => <span translate="no">{row.carrier}</span>,
          },
          {
            id: 'appId',
            header: t('quick.appId'),
            minWidth: 170,
            cell: row => <span translate="no">{row.appId}</span>,
          },
          {
            id: 'state',
            header: t('users.state'),
            width: 140,
            cell: row => <StatusBadge tone={row.enabled ? 'good' : 'off'} text={row.enabled ? t('on') : t('off')} />,
          },
          {
            id: 'actions',
            header: t('actions'),
            width: 140,
            cell: row => (
              <Can call={settingsApi.updateQuickLogin}>
                <Button variant="inline-link" data-action="edit-carrier" onClick={() => setChosen(row)}>
                  {t('methods.setUp')}
                </Button>
              </Can>
            ),
          },
        ]}
      />
      {chosen && (
        <CarrierDialog projectId={projectId} row={chosen === 'new' ? null : chosen} onClose={() => setChosen(null)} />
      )}
    </>
  )
}

function CarrierDialog({ projectId, row, onClose }: { projectId: string; row: Row | null; onClose: () => void }) {
  const { t } = useTranslation('build/app-auth')
  const [carrier, setCarrier] = useState(row?.carrier ?? '')
  const [appId, setAppId] = useState(row?.appId ?? '')
  const [appKey, setAppKey] = useState('')
  const [checkUrl, setCheckUrl] = useState(row?.checkUrl ?? '')
  const [isOn, setOn] = useState(row?.enabled ?? true)
  const create = useAction(settingsApi.createQuickLogin, { errors: 'form', onDone: onClose })
  const update = useAction(settingsApi.updateQuickLogin, { errors: 'form', onDone: onClose })
  const action = row ? update : create
  const submit = () => {
    const body = { projectId, carrier, appId, checkUrl, enabled: isOn }
    if (row) void update.run({ body: { ...body, ...(appKey === '' ? {} : { appKey }), revision: row.revision } })
    else void create.run({ body: { ...body, appKey } })
  }
  return (
    <DialogBox
      title={t('quick.title')}
      action="carrier"
      isRunning={action.isRunning}
      refusal={action.error && errorText(action.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('quick.carrier')} constraintText={t('quick.carrierHint')}>
        <Input value={carrier} disabled={row !== null} onChange={({ detail }) => setCarrier(detail.value)} />
      </FormField>
      <FormField label={t('quick.appId')}>
        <Input value={appId} onChange={({ detail }) => setAppId(detail.value)} />
      </FormField>
      <FormField label={t('quick.appKey')} constraintText={row ? t('config.secretKept') : undefined}>
        <Input value={appKey} type="password" autoComplete="off" onChange={({ detail }) => setAppKey(detail.value)} />
      </FormField>
      <FormField label={t('quick.checkUrl')} constraintText={t('quick.checkHint')}>
        <Input value={checkUrl} onChange={({ detail }) => setCheckUrl(detail.value)} />
      </FormField>
      <Checkbox checked={isOn} onChange={({ detail }) => setOn(detail.checked)}>
        {t('methods.isOn')}
      </Checkbox>
    </DialogBox>
  )
}
