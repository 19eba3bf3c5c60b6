import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { recentNumber } from '../../../../../console/recent.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { deviceName } from './device-name.ts'
import { factorApi } from './profile-calls.ts'
import { RenamePasskey } from './RenamePasskey.tsx'

export function PasskeysBox() {
  const { t } = useTranslation('ground/session')
  const factors = useCall(factorApi.getFactors, {})
  const [isMaking, setMaking] = useState(false)
  const [renamed, setRenamed] = useState<{ credentialId: string; name: string } | null>(null)
  const canMake = 'PublicKeyCredential' in window
  const add = useAction(factorApi.addPasskey, {
    onDone: made => {
      notify({ tone: 'success', text: t('passkeys.added', { name: made.name }) })
    },
  })
  const remove = useAction(factorApi.removePasskey)
  const make = async () => {
    setMaking(true)
    try {
      const { ticket, passkey: question } = await factorApi.startPasskey({})
      const { makePasskey } = await import('../passkey.ts')
      const passkey = await makePasskey(question)
      if (passkey)
        await add.run({ body: { ticket, passkey, name: deviceName(navigator.userAgent) ?? t('passkeys.one') } })
    } catch (error) {
      if (!isCallError(error) || error.number !== recentNumber) notify({ tone: 'error', text: errorText(error) })
    }
    setMaking(false)
  }
  const list = factors.data?.passkeys ?? []
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={factors.data ? `(${list.length})` : ''}
          description={t('passkeys.text')}
          actions={
            <Button data-action="add-passkey" disabled={!canMake} loading={isMaking} onClick={() => void make()}>
              {t('passkeys.add')}
            </Button>
          }
        >
          {t('passkeys.title')}
        </Header>
      }
    >
      {factors.error && <ErrorState error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.data && list.length === 0 && (
        <EmptyState title={t('passkeys.none')} text={t(canMake ? 'passkeys.noneText' : 'passkeys.notHere')} />
      )}
      <ul className="session-lines">
        {list.map(row => (
          <li key={row.credentialId}>
            <span>
              <strong translate="no">{row.name}</strong>
              <br />
              <span className="lg-soft">
                {t('passkeys.made')} <When at={row.createdAt} />
                {row.lastUsedAt !== null && (
                  <>
                    {' · '}
                    {t('passkeys.used')} <When at={row.lastUsedAt} show="relative" />
                  </>
                )}
              </span>
            </span>
            <SpaceBetween direction="horizontal" size="xs">
              <Button
                data-action="rename-passkey"
                ariaLabel={t('passkeys.renameOf', { name: row.name })}
                onClick={() => setRenamed(row)}
              >
                {t('passkeys.rename')}
              </Button>
              <Button
                data-action="remove-passkey"
                ariaLabel={t('passkeys.removeOf', { name: row.name })}
                onClick={() => void remove.run({ query: { credentialId: row.credentialId } })}
              >
                {t('passkeys.remove')}
              </Button>
            </SpaceBetween>
          </li>
        ))}
      </ul>
      {renamed && <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} />}
    </Container>
  )
}
