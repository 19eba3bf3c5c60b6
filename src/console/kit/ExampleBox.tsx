import './kit.css'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'

interface Props {
  title: string
  description: string
  words: { copy: string; copyLabel: string; copied: string; notCopied: string }
  /** What is shown and copied. */
  text: string
}

/** Lines to take over into a shell or a pipeline. */
export function ExampleBox({ title, description, words, text }: Props) {
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={description}
          actions={
            <CopyToClipboard
              textToCopy={text}
              copyButtonText={words.copy}
              copyButtonAriaLabel={words.copyLabel}
              copySuccessText={words.copied}
              copyErrorText={words.notCopied}
            />
          }
        >
          {title}
        </Header>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard */}
      <pre className="lg-example" translate="no" tabIndex={0}>
        {text}
      </pre>
    </Container>
  )
}
