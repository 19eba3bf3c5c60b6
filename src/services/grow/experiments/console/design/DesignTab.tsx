import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Wizard from '@cloudscape-design/components/wizard'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { problemsOf } from '../../../../../kernel/targeting/rule.ts'
import type { ExperimentView } from '../../contract.ts'
import { changeWhileRunning, type Design, designFaults, live } from '../../rules.ts'
import { experimentsApi } from '../experiment-calls.ts'
import { AudienceStep } from './AudienceStep.tsx'
import { HypothesisStep } from './HypothesisStep.tsx'
import { MetricsStep } from './MetricsStep.tsx'
import { PhaseList } from './PhaseList.tsx'
import { PlanStep } from './PlanStep.tsx'
import { VariantsStep } from './VariantsStep.tsx'

const steps = {
  hypothesis: HypothesisStep,
  variants: VariantsStep,
  audience: AudienceStep,
  metrics: MetricsStep,
  plan: PlanStep,
} as const
type Step = keyof typeof steps

/** The design of an experiment, step by step; saved as a whole. One that runs says what a change would mean. */
export function DesignTab({ experiment }: { experiment: ExperimentView }) {
  const { t } = useTranslation('grow/experiments')
  const { experimentId, state, revision, faults } = experiment
  const kept = experiment.design as Design
  const [design, setDesign] = useState<Design>(kept)
  const [at, setAt] = useState(0)
  const save = useAction(experimentsApi.updateExperiment, { errors: 'form' })
  const isLive = live.includes(state)
  const isDisabled = !may('experiments.edit') || !(isLive || state === 'draft' || state === 'ready')
  const isDirty = JSON.stringify(design) !== JSON.stringify(kept)
  const wrong = [...designFaults(design), ...(design.rule ? problemsOf(design.rule) : [])]
  const change = isLive ? changeWhileRunning(kept, design, false) : null
  const isPhase = change !== null && change.refused.length > 0
  const body = {
    design: { ...design, metrics: design.metrics.map(({ metricId, role }) => ({ metricId, role })) },
    ...(isPhase && { newPhase: { newSeed: true } }),
    revision,
  }
  return (
    <SpaceBetween size="l">
      <UnsavedGuard isDirty={isDirty} what={experiment.name} />
      {faults.length > 0 && (
        <Alert type="info" header={t('design.lacks')}>
          <ul translate="no">
            {faults.map(one => (
              <li key={`${one.pointer} ${one.message}`}>{one.message}</li>
            ))}
          </ul>
        </Alert>
      )}
      {isPhase && (
        <Alert type="warning" header={t('design.newPhase')}>
          {t('design.newPhaseText')}
        </Alert>
      )}
      {save.error && <Alert type="error">{errorText(save.error)}</Alert>}
      <Wizard
        activeStepIndex={at}
        allowSkipTo
        i18nStrings={{
          stepNumberLabel: number => t('design.step', { number }),
          collapsedStepsLabel: (number, total) => t('design.stepOf', { number, total }),
          navigationAriaLabel: t('pageTabs.design'),
          cancelButton: t('design.reset'),
          previousButton: t('design.back'),
          nextButton: t('design.next'),
          submitButton: isPhase ? t('design.beginPhase') : t('save'),
        }}
        isLoadingNextStep={save.isRunning}
        onNavigate={({ detail }) => setAt(detail.requestedStepIndex)}
        onCancel={() => setDesign(kept)}
        onSubmit={() => {
          if (isDirty && !isDisabled && wrong.length === 0) void save.run({ params: { experimentId }, body })
        }}
        steps={(Object.keys(steps) as Step[]).map(id => {
          const Content = steps[id]
          return {
            title: t(`steps.${id}`),
            content: (
              <Content
                experiment={experiment}
                design={design}
                isDisabled={isDisabled}
                onChange={more => setDesign({ ...design, ...more })}
              />
            ),
            ...(wrong[0] && id === 'plan' && { errorText: t('design.wrong') }),
          }
        })}
      />
      <PhaseList experiment={experiment} />
    </SpaceBetween>
  )
}
