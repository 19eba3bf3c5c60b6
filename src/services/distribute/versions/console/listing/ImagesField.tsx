import './listing.css'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Spinner from '@cloudscape-design/components/spinner'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import type { ImageRule } from '../../listing/rules.ts'
import { FindingLine } from '../FindingLine.tsx'
import { ImageTile } from './ImageTile.tsx'
import { ruleText } from './image-words.ts'
import type { ImageView } from './listing-form.ts'
import { useImageUpload } from './use-image-upload.ts'

interface ImagesFieldProps {
  label: string
  description?: string
  rule: ImageRule
  max: number
  images: readonly ImageView[]
  addresses: ReadonlyMap<string, string>
  onChange: (images: ImageView[]) => void
  error?: string | undefined
  isIcon?: boolean
  /** What the drop field says, where it is not for screenshots. */
  add?: string
}

/** Pictures in order: dropped or chosen, checked and sent one by one, moved by drag or by button. */
export function ImagesField(props: ImagesFieldProps) {
  const { label, description, rule, max, images, addresses, onChange, error, isIcon = false, add } = props
  const { t } = useTranslation('distribute/versions')
  const [dragged, setDragged] = useState<number | null>(null)
  const latest = useRef(images)
  latest.current = images
  const upload = useImageUpload(rule, image => onChange([...(isIcon ? [] : latest.current), image]))
  const room = isIcon ? 1 : max - images.length

  const move = (from: number, to: number) => {
    if (to < 0 || to >= images.length || from === to) return
    const next = [...images]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
  }
  const dropOn = (event: DragEvent, to: number) => {
    if (dragged === null) return
    event.preventDefault()
    move(dragged, to)
    setDragged(null)
  }
  return (
    <FormField
      stretch
      label={label}
      description={description}
      constraintText={
        isIcon ? ruleText(rule) : `${ruleText(rule)} · ${t('image.count', { count: images.length, max })}`
      }
      errorText={error}
    >
      <div className={`listing-images${isIcon ? ' listing-icon' : ''}`}>
        {images.length > 0 && (
          <ol className="listing-tiles" aria-label={label}>
            {images.map((image, index) => (
              <li
                key={image.objectId}
                draggable={!isIcon}
                onDragStart={() => setDragged(index)}
                onDragEnd={() => setDragged(null)}
                onDragOver={event => dragged !== null && event.preventDefault()}
                onDrop={event => dropOn(event, index)}
                className={dragged === index ? 'listing-dragged' : undefined}
              >
                <ImageTile
                  image={image}
                  src={addresses.get(image.objectId)}
                  name={isIcon ? label : t('image.numbered', { number: index + 1 })}
                  onRemove={() => onChange(images.filter(one => one !== image))}
                  {...(!isIcon && index > 0 && { onBack: () => move(index, index - 1) })}
                  {...(!isIcon && index < images.length - 1 && { onForward: () => move(index, index + 1) })}
                />
              </li>
            ))}
          </ol>
        )}
        {upload.sending.length > 0 && (
          <ul className="listing-sending" aria-live="polite">
            {upload.sending.map(one => (
              <li key={one.id}>
                {one.error === undefined ? (
                  <>
                    <Spinner /> {t('image.sending', { name: one.name })}
                  </>
                ) : (
                  <>
                    <FindingLine severity="BLOCK" text={`${one.name}: ${one.error}`} />
                    <Button
                      variant="inline-icon"
                      formAction="none"
                      iconName="close"
                      ariaLabel={t('image.dismiss', { name: one.name })}
                      onClick={() => upload.drop(one.id)}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        {room > 0 && (
          <FileDrop
            label={isIcon ? (images.length > 0 ? t('image.replaceIcon') : t('image.addIcon')) : (add ?? t('image.add'))}
            accept={Object.keys(rule.maxBytes).join(',')}
            isMultiple={!isIcon}
            isDisabled={upload.isSending}
            onFiles={files => void upload.send(files.slice(0, room))}
          />
        )}
      </div>
    </FormField>
  )
}
