import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../../console/kit/When.tsx'
import type { ExperimentView } from '../../contract.ts'

/** What an experiment was, phase by phase. */
export function PhaseList({ experiment }: { experiment: ExperimentView }) {
  const { t } = useTranslation('grow/experiments')
  if (experiment.phases.length === 0) return null
  return (
    <Container header={<Header variant="h3">{t('phases.title')}</Header>}>
      <ol>
        {experiment.phases.map(one => (
          <li key={one.phase}>
            <strong>{t('phases.one', { number: one.phase })}</strong> · <When at={one.startedAt} /> ·{' '}
            {one.changes.map(change => t(`changes.${change}`)).join(', ')} ·{' '}
            <span translate="no">{one.variants.join(', ')}</span>
          </li>
        ))}
      </ol>
    </Container>
  )
}
