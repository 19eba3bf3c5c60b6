import { useTranslation } from 'react-i18next'
import { ExampleBox } from '../../../../console/kit/ExampleBox.tsx'

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
    <ExampleBox
      title={t('example.title')}
      description={t('example.text')}
      words={{
        copy: t('secret.copy'),
        copyLabel: t('example.copy'),
        copied: t('secret.copied'),
        notCopied: t('secret.notCopied'),
      }}
      text={text}
    />
  )
}
