import { useTranslation } from 'react-i18next'
import type { Gate } from '../../gates/rules.ts'
import { amountText, opText } from './phased-words.ts'

/** What happens by itself, a sentence each. */
export function GateList({ gates, isOver }: { gates: readonly Gate[]; isOver: boolean }) {
  const { t } = useTranslation('distribute/versions')
  if (gates.length === 0) {
    return <span className="lg-soft">{isOver ? t('phased.gates.hadNone') : t('phased.gates.none')}</span>
  }
  return (
    <ul className="phased-gates">
      {gates.map(gate => (
        <li key={`${gate.metric} ${gate.action}`} data-does={gate.action}>
          {t(`phased.gates.sentence.${gate.action}`, {
            metric: t(`phased.metrics.${gate.metric}`),
            limit: `${opText[gate.op]} ${amountText(gate.metric, gate.value)}`,
            count: gate.minUsers,
          })}
        </li>
      ))}
    </ul>
  )
}
