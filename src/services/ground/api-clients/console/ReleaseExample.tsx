import { useTranslation } from 'react-i18next'
import { ExampleBox } from '../../../../console/kit/ExampleBox.tsx'

/** How a pipeline releases with a client that may submit. */
export function ReleaseExample({ clientId }: { clientId: string }) {
  const { t } = useTranslation('ground/api-clients')
  const text = [
    `export LOGGIA_URL=${location.origin}`,
    `export LOGGIA_CLIENT_ID=${clientId}`,
    'export LOGGIA_CLIENT_SECRET=CLIENT_SECRET',
    '',
    'loggia release app-release.apk --notes CHANGES.txt --wait',
  ].join('\n')
  return (
    <ExampleBox
      title={t('release.title')}
      description={t('release.text')}
      words={{
        copy: t('secret.copy'),
        copyLabel: t('release.copy'),
        copied: t('secret.copied'),
        notCopied: t('secret.notCopied'),
      }}
      text={text}
    />
  )
}
