import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ContextBox, readContext } from '../../../../../console/kit/conditions/ContextBox.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { problemsOf } from '../../../../../kernel/targeting/rule.ts'
import type { WholeRuleSet } from '../../rule-sets/contract.ts'
import { limits } from '../../rules.ts'
import { setsApi, useChoices } from '../targeting-calls.ts'
import { type DraftRule, draftsOf, explainAll, isWhole, moved, newRule, toSend } from './draft.ts'
import { EditedRule } from './EditedRule.tsx'
import { useMemberships } from './use-memberships.ts'

/** The draft of a rule set: rules in the order of their priority, each with what it says to a typed context. */
export function RulesEditor({ set, onEdits }: { set: WholeRuleSet; onEdits: (hasEdits: boolean) => void }) {
  const { t } = useTranslation('grow/targeting')
  const [rules, setRules] = useState<DraftRule[]>(() => draftsOf(set.draft))
  const [text, setText] = useState('{\n  "userId": "user-1",\n  "country": "DE"\n}')
  const choices = useChoices(set.projectId)
  const save = useAction(setsApi.saveRuleSet)
  const attributes = readContext(text)
  const isInAudience = useMemberships(set.projectId, attributes)
  const isDirty = JSON.stringify(toSend(rules)) !== JSON.stringify(toSend(draftsOf(set.draft)))
  useEffect(() => {
    onEdits(isDirty)
    return () => onEdits(false)
  }, [isDirty, onEdits])
  const isFit = rules.every(one => isWhole(one) && problemsOf(one.rule).length === 0)
  const explained = attributes && explainAll(rules, attributes, isInAudience)
  const first = explained?.findIndex((one, at) => one?.outcome === 'true' && rules[at]?.isOn) ?? -1
  const isLocked = !may('targeting.edit')
  const put = (key: string, rule: DraftRule) => setRules(rules.map(one => (one.key === key ? rule : one)))
  const add = (
    <Button
      iconName="add-plus"
      disabled={isLocked || rules.length >= limits.rulesOfSet}
      data-action="add-rule"
      onClick={() => setRules([...rules, newRule(t('rules.newName', { number: rules.length + 1 }))])}
    >
      {t('rules.add')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <UnsavedGuard isDirty={isDirty} what={set.name} />
      <Container>
        <SpaceBetween size="s">
          <ContextBox text={text} onChange={setText} />
          {attributes && rules.length > 0 && (
            <Alert type={first < 0 ? 'info' : 'success'}>
              {first < 0 ? t('rules.nothing') : t('rules.first', { priority: first + 1, name: rules[first]?.name })}
            </Alert>
          )}
        </SpaceBetween>
      </Container>
      {rules.length === 0 && <EmptyState title={t('rules.empty')} text={t('rules.emptyText')} />}
      {rules.map((rule, at) => (
        <EditedRule
          key={rule.key}
          rule={rule}
          priority={at + 1}
          isLast={at === rules.length - 1}
          isDisabled={isLocked}
          choices={choices}
          explained={explained?.[at]}
          onChange={changed => put(rule.key, changed)}
          onMove={by => setRules(moved(rules, at, by))}
          onRemove={() => setRules(rules.filter(one => one.key !== rule.key))}
        />
      ))}
      <div className="lg-actions">
        {add}
        <Can call={setsApi.saveRuleSet}>
          <Button
            variant="primary"
            data-action="save"
            disabled={!isDirty || !isFit}
            loading={save.isRunning}
            onClick={() =>
              void save.run({
                params: { ruleSetId: set.ruleSetId },
                body: { draft: toSend(rules), revision: set.revision },
              })
            }
          >
            {t('rules.save')}
          </Button>
        </Can>
      </div>
    </SpaceBetween>
  )
}
