import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConditionBuilder } from '../../../../../console/kit/conditions/ConditionBuilder.tsx'
import { ContextBox, readContext } from '../../../../../console/kit/conditions/ContextBox.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { explain } from '../../../../../kernel/targeting/evaluate.ts'
import type { Rule } from '../../../../../kernel/targeting/rule.ts'
import type { AudienceView } from '../../audiences/contract.ts'
import { audienceRuleProblems, behaviourLimits, type AudienceRule as KeptRule, lowered } from '../../audiences/rules.ts'
import { type Refresh, refreshes, userAttributes } from '../../rules.ts'
import { audiencesApi } from '../targeting-calls.ts'
import { LiveCount } from './LiveCount.tsx'
import { useBehaviours } from './use-behaviours.tsx'

/** The rule of a dynamic audience, with how many it would match now and a user to try it on. */
export function AudienceRule({ audience }: { audience: AudienceView }) {
  const { t } = useTranslation('grow/targeting')
  const kept = audience.rule as KeptRule
  const others = useBehaviours(audience.projectId)
  const [rule, setRule] = useState(kept)
  const [every, setEvery] = useState<Refresh>(audience.refreshEvery)
  const [text, setText] = useState('{\n  "userId": "1",\n  "email": "ann@example.com"\n}')
  const save = useAction(audiencesApi.updateAudience)
  const { rule: asked, behaviours } = lowered(rule)
  const asksForEvents = behaviours.length > 0
  const isLive = asksForEvents && every === 'realtime'
  const isFit = audienceRuleProblems(rule).length === 0 && !isLive
  const isDirty = every !== audience.refreshEvery || JSON.stringify(rule) !== JSON.stringify(kept)
  const isLocked = !may('targeting.edit')
  const attributes = readContext(text)
  const options = refreshes.map(value => ({ value, label: t(`refreshes.${value}`) }))
  return (
    <Container header={<Header variant="h2">{t('audiences.rule')}</Header>}>
      <UnsavedGuard isDirty={isDirty} what={audience.name} />
      <SpaceBetween size="m">
        <ConditionBuilder
          rule={rule as Rule}
          choices={{ attributes: userAttributes, audiences: [], others }}
          explained={attributes && !asksForEvents ? explain(asked, { attributes, now: Date.now() }) : undefined}
          isDisabled={isLocked}
          onChange={next => setRule(next as KeptRule)}
        />
        {behaviours.length > behaviourLimits.leaves && (
          <Alert type="error">{t('events.tooMany', { most: behaviourLimits.leaves })}</Alert>
        )}
        <div aria-live="polite">
          <LiveCount projectId={audience.projectId} rule={rule} />
        </div>
        {!asksForEvents && <ContextBox text={text} onChange={setText} />}
        <FormField
          label={t('audiences.every')}
          description={t('audiences.everyHint')}
          errorText={isLive ? t('events.noRealtime') : undefined}
        >
          <Select
            selectedOption={options.find(one => one.value === every) ?? null}
            options={options}
            disabled={isLocked}
            onChange={({ detail }) => setEvery(detail.selectedOption.value as Refresh)}
          />
        </FormField>
        <div className="lg-actions">
          <Can call={audiencesApi.updateAudience}>
            <Button
              variant="primary"
              data-action="save"
              disabled={!isDirty || !isFit}
              loading={save.isRunning}
              onClick={() =>
                void save.run({
                  params: { audienceId: audience.audienceId },
                  body: { rule, refreshEvery: every, revision: audience.revision },
                })
              }
            >
              {t('audiences.save')}
            </Button>
          </Can>
        </div>
      </SpaceBetween>
    </Container>
  )
}
