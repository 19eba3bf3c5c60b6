import { useTranslation } from 'react-i18next'
import type { Alias } from '../function-calls.ts'

/** Which share of the calls goes where, as a bar with words. */
export function SplitBar({ version, additional }: Pick<Alias, 'version' | 'additional'>) {
  const { t } = useTranslation('build/functions')
  if (!additional) return <div>{t('leadsTo', { version })}</div>
  if (additional.mode === 'RULE') {
    const rules = (additional.rules ?? [])
      .map(one => `${one.param} ${one.op} ${one.value}`)
      .join(additional.combine === 'OR' ? ' ∨ ' : ' ∧ ')
    return (
      <div>
        {t('leadsByRule', { version, other: additional.version })} <code translate="no">{rules}</code>
      </div>
    )
  }
  const weight = additional.weight ?? 0
  return (
    <div>
      <div className="fn-split" aria-hidden="true">
        <i style={{ inlineSize: `${100 - weight}%` }} />
        <i data-second style={{ inlineSize: `${weight}%` }} />
      </div>
      {t('leadsSplit', { version, share: 100 - weight, other: additional.version, weight })}
    </div>
  )
}
