import Button from '@cloudscape-design/components/button'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Explained } from '../../../kernel/targeting/evaluate.ts'
import { isGroup, type Leaf, type Rule, type RuleProblem, ruleLimits } from '../../../kernel/targeting/rule.ts'
import type { Choices } from './choices.ts'
import { LeafRow } from './LeafRow.tsx'
import { OutcomeMark } from './OutcomeMark.tsx'
import { asGroup, type Group, turnedRound, withAdded, withoutRuleAt, withRuleAt } from './rule-edit.ts'

interface NodeProps {
  pointer: string
  depth: number
  problems: readonly RuleProblem[]
  choices: Choices
  explained: Explained | undefined
  isDisabled: boolean
}

interface GroupBoxProps extends NodeProps {
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
  isTurned?: boolean
  onTurn?: () => void
}

const newLeaf: Leaf = { attr: '', op: 'eq', value: '' }

/** All or any of some conditions, with what can be done to the group below it. */
export function GroupBox({ group, onChange, onRemove, isTurned = false, onTurn, ...node }: GroupBoxProps) {
  const { t } = useTranslation('kit/conditions')
  const { pointer, depth, problems, explained, isDisabled } = node
  const own = problems.filter(one => one.pointer === pointer || one.pointer === `${pointer}/args`)
  // A condition has no name but its place.
  const places = group.args.map((arg, at) => ({ arg, at, place: `${pointer}/args/${at}` }))
  const replace = (at: number, rule: Rule) => onChange(withRuleAt(group, [at], rule) as Group)
  const remove = (at: number) => onChange(withoutRuleAt(group, [at]) as Group)
  return (
    <fieldset className="lg-conditions-group" aria-label={groupName(t, group, isTurned)}>
      <div className="lg-conditions-head">
        <SegmentedControl
          label={t('joined')}
          selectedId={group.op}
          options={[
            { id: 'and', text: t('all'), disabled: isDisabled },
            { id: 'or', text: t('any'), disabled: isDisabled },
          ]}
          onChange={({ detail }) => onChange({ ...group, op: detail.selectedId as 'and' })}
        />
        {isTurned && <strong>{t('notGroup')}</strong>}
        {group.op === 'and' && group.args.length === 0 && <span className="lg-soft">{t('everybody')}</span>}
        <OutcomeMark explained={explained} />
      </div>
      {places.map(({ arg, at, place }) => (
        <OneOf
          key={place}
          {...node}
          rule={arg}
          pointer={place}
          depth={depth + 1}
          explained={explained?.args?.[at]}
          onChange={rule => replace(at, rule)}
          onRemove={() => remove(at)}
        />
      ))}
      {own.length > 0 && <p className="lg-conditions-problem">{t('problems.group')}</p>}
      <div className="lg-conditions-foot">
        <Button
          iconName="add-plus"
          disabled={isDisabled}
          data-action="add-condition"
          onClick={() => onChange(withAdded(group, newLeaf))}
        >
          {t('add')}
        </Button>
        {node.choices.others && (
          <Button
            iconName="add-plus"
            disabled={isDisabled}
            data-action="add-other-condition"
            onClick={() => node.choices.others && onChange(withAdded(group, node.choices.others.begin))}
          >
            {node.choices.others.add}
          </Button>
        )}
        {depth < ruleLimits.depth - 2 && (
          <Button
            variant="link"
            disabled={isDisabled}
            onClick={() => onChange(withAdded(group, { op: group.op === 'and' ? 'or' : 'and', args: [newLeaf] }))}
          >
            {t('addGroup')}
          </Button>
        )}
        {onTurn && (
          <Button variant="link" disabled={isDisabled} onClick={onTurn}>
            {t(isTurned ? 'turnBack' : 'turn')}
          </Button>
        )}
        {onRemove && (
          <Button variant="link" disabled={isDisabled} onClick={onRemove}>
            {t('removeGroup')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const groupName = (t: TFunction, group: Group, isTurned: boolean) =>
  `${isTurned ? `${t('notGroup')} ` : ''}${t(group.op === 'or' ? 'any' : 'all')}`

interface OneOfProps extends NodeProps {
  rule: Rule
  onChange: (rule: Rule) => void
  onRemove: () => void
}

function OneOf({ rule, onChange, onRemove, ...node }: OneOfProps) {
  const isTurned = isGroup(rule) && rule.op === 'not'
  const inner = isTurned ? rule.args[0] : rule
  const pointer = isTurned ? `${node.pointer}/args/0` : node.pointer
  const explained = isTurned ? node.explained?.args?.[0] : node.explained
  const change = (next: Rule) => onChange(isTurned ? { op: 'not', args: [next] } : next)
  const turn = () => onChange(turnedRound(rule))
  const shared = { ...node, pointer, onRemove, isTurned, onTurn: turn }
  const { others } = node.choices
  if (others?.isOne(inner)) {
    const own = node.problems.filter(one => one.pointer.startsWith(`${pointer}/`))
    const problems = own.map(one => ({ ...one, pointer: one.pointer.slice(pointer.length) }))
    const { isDisabled } = node
    return others.row({ rule: inner, problems, isDisabled, isTurned, onTurn: turn, onChange: change, onRemove })
  }
  return isGroup(inner) ? (
    <GroupBox {...shared} group={asGroup(inner)} explained={explained} onChange={change} />
  ) : (
    <LeafRow {...shared} leaf={inner} explained={node.explained} actual={explained?.actual} onChange={change} />
  )
}
