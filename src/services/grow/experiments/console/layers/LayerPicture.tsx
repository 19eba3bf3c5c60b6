import '../experiments.css'
import { useTranslation } from 'react-i18next'
import type { LayerView } from '../../layers/contract.ts'
import { live } from '../../rules.ts'

/** A layer from 0 to 100 %: the parts of experiments that run are full, of those to come striped, the rest is free. */
export function LayerPicture({ layer }: { layer: Pick<LayerView, 'name' | 'parts' | 'free'> }) {
  const { t } = useTranslation('grow/experiments')
  const { parts, free } = layer
  const rest = free.map(one => `${one.from}–${one.to} %`).join(', ')
  return (
    <div>
      <div className="lg-layer" role="img" aria-label={t('layers.picture', { name: layer.name })}>
        {parts.map(part => (
          <span
            key={part.experimentId}
            translate="no"
            className={live.includes(part.state) ? undefined : 'lg-layer-waiting'}
            title={`${part.name}: ${part.from}–${part.to} %`}
            style={{ insetInlineStart: `${part.from}%`, width: `${part.to - part.from}%` }}
          >
            {part.name}
          </span>
        ))}
      </div>
      <small className="lg-soft">
        {parts.map(part => `${part.name} ${part.from}–${part.to} %`).join(' · ')}
        {parts.length > 0 && ' · '}
        {rest === '' ? t('layers.full') : t('layers.free', { parts: rest })}
      </small>
    </div>
  )
}
