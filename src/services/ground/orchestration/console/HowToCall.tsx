import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { invocationOf } from '../rules.ts'
import { pretty } from './process-calls.ts'
import { ScrolledText } from './ScrolledText.tsx'

/** The two ways to call a process: where both ids stand depends on the environment. */
export function HowToCall({ process }: { process: { definitionId: string; processId: string } }) {
  const { t } = useTranslation('ground/orchestration')
  return (
    <ExpandableSection headerText={t('how.title')}>
      {(['production', 'development'] as const).map(environment => {
        const { path, body } = invocationOf(environment, process, { appId: '…' })
        return (
          <div key={environment} className="process-how">
            <span className="lg-soft">{t(`how.${environment}`)}</span>
            <ScrolledText label={t(`how.${environment}`)} text={`POST ${path}\n${pretty(body)}`} />
          </div>
        )
      })}
    </ExpandableSection>
  )
}
