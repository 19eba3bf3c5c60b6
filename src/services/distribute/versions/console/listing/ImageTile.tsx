import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import type { ImageView } from './listing-form.ts'

interface ImageTileProps {
  image: ImageView
  src: string | undefined
  name: string
  onRemove: () => void
  onBack?: () => void
  onForward?: () => void
}

/** One picture with its size, and buttons for whoever does not drag. */
export function ImageTile({ image, src, name, onRemove, onBack, onForward }: ImageTileProps) {
  const { t } = useTranslation('distribute/versions')
  return (
    <figure className="listing-tile">
      {src ? <img src={src} alt={name} draggable={false} /> : <span className="listing-blank" />}
      <figcaption>
        <span className="lg-soft">
          {image.width} × {image.height} · <ByteSize value={image.sizeBytes} />
        </span>
        <span>
          {onBack && (
            <Button
              variant="inline-icon"
              formAction="none"
              iconName="angle-left"
              ariaLabel={t('image.back', { name })}
              onClick={onBack}
            />
          )}
          {onForward && (
            <Button
              variant="inline-icon"
              formAction="none"
              iconName="angle-right"
              ariaLabel={t('image.forward', { name })}
              onClick={onForward}
            />
          )}
          <Button
            variant="inline-icon"
            formAction="none"
            iconName="remove"
            ariaLabel={t('image.remove', { name })}
            onClick={onRemove}
          />
        </span>
      </figcaption>
    </figure>
  )
}
