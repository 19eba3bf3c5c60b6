import './api-clients.css'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'

interface Props {
  title: string
  description: string
  copyLabel: string
  /** What is shown and copied. */
  text: string
}

/** Lines to take over into a shell or a pipeline. */
export function ExampleBox({ title, description, copyLabel, text }: Props) {
  const { t } = useTranslation('ground/api-clients')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={description}
          actions={
            <CopyToClipboard
              textToCopy={text}
              copyButtonText={t('secret.copy')}
              copyButtonAriaLabel={copyLabel}
              copySuccessText={t('secret.copied')}
              copyErrorText={t('secret.notCopied')}
            />
          }
        >
          {title}
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
