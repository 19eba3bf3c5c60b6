import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { automaticPasses } from '../../auto/contract.ts'
import { autoLimits } from '../../auto/rules.ts'
import { automatic } from '../review-calls.ts'

type Rules = Answer<(typeof automaticPasses.calls)['getAutoRules']>
const toggles = ['isOn', 'passesListings', 'passesUpdates'] as const

const isWithin = (value: string, most: number) => /^[0-9]{1,4}$/.test(value) && Number(value) <= most

/** The rules, to be changed by senior reviewers. */
export function AutomaticForm({ rules }: { rules: Rules }) {
  const { t } = useTranslation('distribute/review')
  const mayEdit = may('review.senior')
  const [set, setSet] = useState({
    ...rules,
    cleanDays: String(rules.cleanDays),
    samplePercent: String(rules.samplePercent),
  })
  const act = useAction(automatic.updateAutoRules, {
    onDone: () => notify({ tone: 'success', text: t('auto.saved') }),
  })
  const isRight = isWithin(set.cleanDays, autoLimits.cleanDays) && isWithin(set.samplePercent, 100)
  const { isOn, passesListings, passesUpdates, revision } = set
  const body = {
    ...{ isOn, passesListings, passesUpdates, revision },
    cleanDays: Number(set.cleanDays),
    samplePercent: Number(set.samplePercent),
  }
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            rules.updatedAt !== null && (
              <>
                {t('auto.changed')} <When at={rules.updatedAt} /> · <span translate="no">{rules.changedBy}</span>
              </>
            )
          }
        >
          {t('auto.rules')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {toggles.map(name => (
          <Toggle
            key={name}
            checked={set[name]}
            disabled={!mayEdit}
            description={t(`auto.${name}Text`)}
            onChange={({ detail }) => setSet({ ...set, [name]: detail.checked })}
          >
            {t(`auto.${name}`)}
          </Toggle>
        ))}
        {(['cleanDays', 'samplePercent'] as const).map(name => (
          <FormField key={name} label={t(`auto.${name}`)} description={t(`auto.${name}Text`)}>
            <Input
              value={set[name]}
              inputMode="numeric"
              disabled={!mayEdit}
              invalid={!isWithin(set[name], name === 'cleanDays' ? autoLimits.cleanDays : 100)}
              onChange={({ detail }) => setSet({ ...set, [name]: detail.value })}
            />
          </FormField>
        ))}
        {mayEdit && (
          <Button
            data-action="save-rules"
            variant="primary"
            disabled={!isRight}
            loading={act.isRunning}
            onClick={() => void act.run({ body })}
          >
            {t('auto.save')}
          </Button>
        )}
      </SpaceBetween>
    </Container>
  )
}
