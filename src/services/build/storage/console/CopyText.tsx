import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import { useTranslation } from 'react-i18next'

/** Text that people take elsewhere, with a button for it. */
export function CopyText({ text }: { text: string }) {
  const { t } = useTranslation('build/storage')
  return (
    <span translate="no" className="storage-copy">
      <CopyToClipboard
        variant="inline"
        textToCopy={text}
        copyButtonAriaLabel={t('copy')}
        copySuccessText={t('copied')}
        copyErrorText={t('notCopied')}
      />
    </span>
  )
}
