import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actionOf, type Verdict, verdicts } from '../../rules.ts'
import type { PolicyView, TaskView } from '../review-calls.ts'
import { VerdictForm } from './VerdictForm.tsx'

interface VerdictPanelProps {
  task: TaskView
  policies: readonly PolicyView[] | undefined
}

/** The four ways a review can go, as far as the server allows them now. */
export function VerdictPanel({ task, policies }: VerdictPanelProps) {
  const { t } = useTranslation('distribute/review')
  const [chosen, setChosen] = useState<Verdict | null>(null)
  const allowed = verdicts.filter(verdict => task.allowedActions.includes(actionOf(verdict)))
  if (allowed.length === 0) return null
  return (
    <Container header={<Header variant="h2">{t('verdict.title')}</Header>}>
      <SpaceBetween size="m">
        <div className="review-verdicts">
          {allowed.map(verdict => (
            <Button
              key={verdict}
              fullWidth
              data-action={actionOf(verdict)}
              variant={verdict === chosen ? 'primary' : 'normal'}
              nativeButtonAttributes={{ 'aria-pressed': verdict === chosen }}
              onClick={() => setChosen(verdict === chosen ? null : verdict)}
            >
              {t(`verdicts.${verdict}`)}
            </Button>
          ))}
        </div>
        {chosen ? (
          <VerdictForm key={chosen} task={task} verdict={chosen} policies={policies} onCancel={() => setChosen(null)} />
        ) : (
          <p className="lg-soft review-said">{t('verdict.choose')}</p>
        )}
      </SpaceBetween>
    </Container>
  )
}
