import Button from '@cloudscape-design/components/button'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { Language } from '../language.ts'
import { sizeText } from './ByteSize.tsx'

export interface FileTransfer {
  id: string
  name: string
  sizeBytes: number
  sentBytes: number
  state: 'sending' | 'paused' | 'done' | 'failed'
  /** Why it failed, translated. */
  error?: string | undefined
  onPause?: () => void
  onResume?: () => void
  onRemove?: () => void
}

/** One file on its way. */
export function FileProgress({ transfer }: { transfer: FileTransfer }) {
  const { t, i18n } = useTranslation()
  const { name, sizeBytes, sentBytes, state, error, onPause, onResume, onRemove } = transfer
  const size = (bytes: number) => sizeText(bytes, i18n.resolvedLanguage as Language)
  const percent = sizeBytes > 0 ? Math.round((sentBytes / sizeBytes) * 100) : 0
  const canResume = (state === 'paused' || state === 'failed') && onResume
  return (
    <li>
      <ProgressBar
        label={name}
        value={percent}
        status={state === 'done' ? 'success' : state === 'failed' ? 'error' : 'in-progress'}
        additionalInfo={
          state === 'failed' ? undefined : t(`drop.${state}`, { sent: size(sentBytes), total: size(sizeBytes) })
        }
        resultText={state === 'done' ? t('drop.done', { total: size(sizeBytes) }) : (error ?? t('drop.failed'))}
      />
      <SpaceBetween direction="horizontal" size="xs">
        {state === 'sending' && onPause && (
          <Button iconName="pause" ariaLabel={t('drop.pauseOf', { name })} onClick={onPause}>
            {t('drop.pause')}
          </Button>
        )}
        {canResume && (
          <Button iconName="play" ariaLabel={t('drop.resumeOf', { name })} onClick={onResume}>
            {t('drop.resume')}
          </Button>
        )}
        {onRemove && (
          <Button iconName="close" variant="icon" ariaLabel={t('drop.removeOf', { name })} onClick={onRemove} />
        )}
      </SpaceBetween>
    </li>
  )
}
