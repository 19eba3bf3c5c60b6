import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { providerApi } from '../session-calls.ts'

/** Sign-ins at providers; nothing is shown where the operator set none up. */
export function IdentitiesBox() {
  const { t } = useTranslation('ground/session')
  const identities = useCall(providerApi.listIdentities, {})
  const link = useAction(providerApi.startLink, { onDone: ({ url }) => location.assign(url) })
  const unlink = useAction(providerApi.unlinkIdentity)
  const { list = [], available = [] } = identities.data ?? {}
  if (identities.error) return <ErrorState error={identities.error} onRetry={() => void identities.refetch()} />
  if (list.length === 0 && available.length === 0) return null
  return (
    <Container
      header={
        <Header variant="h2" description={t('identities.text')}>
          {t('identities.title')}
        </Header>
      }
    >
      <ul className="session-lines">
        {list.map(row => (
          <li key={row.providerId}>
            <span>
              <strong>{row.providerName}</strong> {row.label}
              <br />
              <span className="lg-soft">
                {t('identities.since')} <When at={row.linkedAt} />
              </span>
            </span>
            <Button
              data-action="unlink"
              ariaLabel={t('identities.unlinkOf', { name: row.providerName })}
              onClick={() => void unlink.run({ params: { providerId: row.providerId } })}
            >
              {t('identities.unlink')}
            </Button>
          </li>
        ))}
        {available.map(row => (
          <li key={row.providerId}>
            <span>
              <strong>{row.name}</strong>
              <br />
              <span className="lg-soft">{t('identities.none')}</span>
            </span>
            <Button
              data-action="link"
              ariaLabel={t('identities.linkOf', { name: row.name })}
              loading={link.isRunning}
              onClick={() => void link.run({ body: { providerId: row.providerId } })}
            >
              {t('identities.link')}
            </Button>
          </li>
        ))}
      </ul>
    </Container>
  )
}
