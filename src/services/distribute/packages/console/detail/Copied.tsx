import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import { useTranslation } from 'react-i18next'

/** A text with its button to copy it; digests stand in one width and break anywhere. */
export function Copied({ text, isDigest = false }: { text: string; isDigest?: boolean }) {
  const { t } = useTranslation('distribute/packages')
  const copy = (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={t('copy.button', { text: text.slice(0, 24) })}
      copySuccessText={t('copy.done')}
      copyErrorText={t('copy.failed')}
    />
  )
  return isDigest ? <span className="packages-digest">{copy}</span> : copy
}
