import { useTranslation } from 'react-i18next'
import type { Choices } from '../../../../../console/kit/conditions/choices.ts'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { Rule } from '../../../../../kernel/targeting/rule.ts'
import { type AudienceRule, audienceRuleProblems, isBehaviour } from '../../audiences/rules.ts'
import { eventsApi } from '../targeting-calls.ts'
import { BehaviourRow } from './BehaviourRow.tsx'

const begin: AudienceRule = { op: 'did', event: '', times: 1, days: 7 }

/** Conditions on events for the builder, with the events of the project that came lately. */
export function useBehaviours(projectId: string): NonNullable<Choices['others']> {
  const { t } = useTranslation('grow/targeting')
  const found = useCall(
    eventsApi.listEventNames,
    { query: { projectId, days: 90, pageSize: 100 } },
    { enabled: may('appEvents.read') },
  )
  const events = found.data?.list.map(one => one.name) ?? []
  const isAll = found.data?.nextCursor === null
  return {
    add: t('events.add'),
    begin: begin as unknown as Rule,
    isOne: isBehaviour,
    problemsOf: audienceRuleProblems,
    row: one => <BehaviourRow {...one} events={events} isAll={isAll} />,
  }
}
