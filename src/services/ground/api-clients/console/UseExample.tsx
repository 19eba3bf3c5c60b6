import './api-clients.css'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'

/** How a program comes in: a token first, then any call with it. */
export function UseExample({ clientId }: { clientId: string }) {
  const { t } = useTranslation('ground/api-clients')
  const { origin } = location
  const text = [
    `TOKEN=$(curl -s -u '${clientId}:CLIENT_SECRET' -d grant_type=client_credentials \\`,
    `  ${origin}/oauth2/v1/token | jq -r .access_token)`,
    '',
    `curl -H "Authorization: Bearer $TOKEN" \\`,
    `  ${origin}/cpms/project-management-service/v1/projectList`,
  ].join('\n')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('example.text')}
          actions={
            <CopyToClipboard
              textToCopy={text}
              copyButtonText={t('secret.copy')}
              copyButtonAriaLabel={t('example.copy')}
              copySuccessText={t('secret.copied')}
              copyErrorText={t('secret.notCopied')}
            />
          }
        >
          {t('example.title')}
        </Header>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard */}
      <pre className="clients-code" translate="no" tabIndex={0}>
        {text}
      </pre>
    </Container>
  )
}
