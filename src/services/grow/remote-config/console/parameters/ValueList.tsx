import { useTranslation } from 'react-i18next'
import type { ParameterView } from '../../contract.ts'
import type { TagColor, Value } from '../../rules.ts'
import { percentText } from '../rollouts/rollout-words.ts'
import { Tag } from '../Tag.tsx'

interface ValueListProps {
  of: ParameterView
  colors: ReadonlyMap<string, TagColor>
  order: ReadonlyMap<string, number>
}

/** The values of a parameter in the order in which they are decided; the default is last. */
export function ValueList({ of, colors, order }: ValueListProps) {
  const { t } = useTranslation('grow/remote-config')
  const place = (name: string) => order.get(name) ?? Number.MAX_SAFE_INTEGER
  const branches = Object.entries(of.conditional).sort(([a], [b]) => place(a) - place(b))
  return (
    <ul className="rcs-values">
      {branches.map(([name, value]) => (
        <li key={name}>
          <Tag name={name} color={colors.get(name)} />
          <ValueText value={value} />
          <Rolled of={of} condition={name} />
        </li>
      ))}
      <li>
        {branches.length > 0 && <span className="lg-soft">{t('parameters.default')}</span>}
        <ValueText value={of.default} />
        <Rolled of={of} condition={null} />
      </li>
    </ul>
  )
}

/** What a rollout gives some units instead of one value. */
function Rolled({ of: { rollouts }, condition }: { of: ParameterView; condition: string | null }) {
  const { t } = useTranslation('grow/remote-config')
  const rollout = rollouts.find(one => one.condition === condition)
  if (!rollout) return null
  return (
    <span className="lg-soft">
      {t('parameters.rolled', { name: rollout.name, percent: percentText(rollout.percent) })}{' '}
      <ValueText value={{ value: rollout.value }} />
    </span>
  )
}

const mostShown = 120

function ValueText({ value }: { value: Value }) {
  const { t } = useTranslation('grow/remote-config')
  if (!('value' in value)) return <span className="lg-soft">{t('parameters.inApp')}</span>
  if (value.value === '') return <span className="lg-soft">{t('parameters.emptyValue')}</span>
  const isLong = value.value.length > mostShown
  return (
    <span className="rcs-value" translate="no" title={isLong ? value.value.slice(0, 2_000) : undefined}>
      {isLong ? `${value.value.slice(0, mostShown)}…` : value.value}
    </span>
  )
}
