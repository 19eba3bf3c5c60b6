import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'

interface PhonePreviewProps {
  name: string
  src: string | null
  dominantColor: string | null
  textColor: string | null
  label: string
}

/** The app's page on a phone: the picture to the edges, its colour below, and the text that is read on it. */
export function PhonePreview({ name, src, dominantColor, textColor, label }: PhonePreviewProps) {
  const { t } = useTranslation('distribute/distribution-view')
  const colours = { '--picture-colour': dominantColor, '--picture-text': textColor } as CSSProperties
  return (
    <figure className="immersive-phone" style={dominantColor === null ? undefined : colours} aria-label={label}>
      <div className="immersive-screen">
        {src ? (
          <img src={src} alt={t('preview.alt', { name })} />
        ) : (
          <span className="immersive-blank">{t('preview.none')}</span>
        )}
        <div className="immersive-band">
          <ThingIcon name={name} />
          <span className="immersive-name" translate="no">
            {name}
          </span>
          <span className="immersive-get" aria-hidden="true">
            {t('preview.install')}
          </span>
        </div>
      </div>
    </figure>
  )
}
