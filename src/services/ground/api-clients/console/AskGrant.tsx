import './api-clients.css'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type ClientView, grantApi } from './client-calls.ts'
import { RightsChoice } from './RightsChoice.tsx'

/** Makes the address at which the leader of another team lets the client into his team. */
export function AskGrant({ client, onClose }: { client: ClientView; onClose: () => void }) {
  const { t } = useTranslation('ground/api-clients')
  const [chosen, setChosen] = useState<string[]>(client.permissions)
  const [made, setMade] = useState<{ url: string; expiresAt: number } | null>(null)
  const resources = useCall(grantApi.listGrantResources, { query: { pageSize: 1 } })
  const ask = useAction(grantApi.getGrantUrl, { errors: 'form', onDone: setMade, invalidates: [] })
  const { clientId } = client
  return (
    <DialogBox
      title={t('actions.ask')}
      size="large"
      verb={made ? t('action.close') : t('ask.make')}
      action="ask"
      isRunning={ask.isRunning}
      canSubmit={chosen.length > 0}
      refusal={ask.error && errorText(ask.error)}
      onSubmit={() => (made ? onClose() : void ask.run({ query: { clientId, permissions: chosen.join(',') } }))}
      onClose={onClose}
    >
      <div>{t('ask.text')}</div>
      {made ? (
        <>
          <div className="clients-secret" translate="no">
            <CopyToClipboard
              variant="inline"
              textToCopy={made.url}
              copyButtonAriaLabel={t('ask.copy')}
              copySuccessText={t('secret.copied')}
              copyErrorText={t('secret.notCopied')}
            />
          </div>
          <div className="lg-soft">
            {t('ask.until')} <When at={made.expiresAt} />
          </div>
        </>
      ) : (
        <RightsChoice offered={resources.data?.permissions ?? []} chosen={chosen} onChange={setChosen} />
      )}
    </DialogBox>
  )
}
