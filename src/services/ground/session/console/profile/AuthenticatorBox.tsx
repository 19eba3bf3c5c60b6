import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { AddAuthenticator } from './AddAuthenticator.tsx'
import { factorApi } from './profile-calls.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export function AuthenticatorBox() {
  const { t } = useTranslation('ground/session')
  const factors = useCall(factorApi.getFactors, {})
  const [open, setOpen] = useState<'add' | 'remove' | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setOpen(null)
  const remove = useAction(factorApi.removeAuthenticator, {
    onDone: () => {
      notify({ tone: 'success', text: t('authenticator.removed') })
      close()
    },
  })
  const renew = useAction(factorApi.renewRecoveryCodes, { onDone: answer => setCodes(answer.recoveryCodes) })
  const app = factors.data?.authenticator
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('authenticator.text')}
          actions={
            <div className="lg-actions">
              {app && (
                <Button data-action="renew-codes" loading={renew.isRunning} onClick={() => void renew.run({})}>
                  {t('authenticator.renew')}
                </Button>
              )}
              <Button
                data-action={app ? 'remove-authenticator' : 'add-authenticator'}
                disabled={!factors.data}
                onClick={() => setOpen(app ? 'remove' : 'add')}
              >
                {t(app ? 'authenticator.remove' : 'authenticator.add')}
              </Button>
            </div>
          }
        >
          {t('authenticator.title')}
        </Header>
      }
    >
      {factors.error && <ErrorState error={factors.error} onRetry={() => void factors.refetch()} />}
      {factors.data && !app && <StatusBadge tone="off" text={t('authenticator.none')} />}
      {app && (
        <SpaceBetween size="xs">
          <span>
            <StatusBadge tone="good" text={t('authenticator.on')} /> <When at={app.createdAt} />
          </span>
          <span className={(factors.data?.recoveryCodesLeft ?? 0) < 3 ? undefined : 'lg-soft'}>
            {t('authenticator.codesLeft', { count: factors.data?.recoveryCodesLeft ?? 0 })}
          </span>
        </SpaceBetween>
      )}
      {open === 'add' && (
        <AddAuthenticator
          onClose={close}
          onDone={made => {
            close()
            setCodes(made)
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      {open === 'remove' && (
        <ConfirmByName
          title={t('authenticator.remove')}
          name={t('authenticator.word')}
          verb={t('authenticator.remove')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({})}
          onCancel={close}
        >
          {t('authenticator.removeText')}
        </ConfirmByName>
      )}
    </Container>
  )
}
