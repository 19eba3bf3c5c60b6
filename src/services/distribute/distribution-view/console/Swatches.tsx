import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Picture } from './immersive-calls.ts'

interface SwatchesProps {
  palette: Picture['palette']
  chosen: string | null
  isDisabled: boolean
  onChoose: (color: string) => void
}

/** The colours of a picture, to take one of: how much of the picture has it, and how well text is read on it. */
export function Swatches({ palette, chosen, isDisabled, onChoose }: SwatchesProps) {
  const { t, i18n } = useTranslation('distribute/distribution-view')
  const group = useId()
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const ratio = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 })
  return (
    <fieldset className="immersive-swatches" disabled={isDisabled}>
      <legend>{t('colours.title')}</legend>
      {palette.map(({ color, share, textColor, contrast }) => (
        <label key={color}>
          <input type="radio" name={group} value={color} checked={color === chosen} onChange={() => onChoose(color)} />
          <span className="immersive-colour" style={{ background: color, color: textColor }} aria-hidden="true">
            Aa
          </span>
          <span>
            <span translate="no">{color}</span>
            <span className="lg-soft">
              {t('colours.share', { share: percent.format(share / 100), contrast: ratio.format(contrast) })}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
