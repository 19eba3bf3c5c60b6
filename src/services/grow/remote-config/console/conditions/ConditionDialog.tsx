import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { problemsOf, type Rule } from '../../../../../kernel/targeting/rule.ts'
import type { ConditionView } from '../../contract.ts'
import { limits, type TagColor, tagColors } from '../../rules.ts'
import { api, type Where } from '../config-calls.ts'
import { RuleField } from './RuleField.tsx'

interface ConditionDialogProps {
  where: Where
  /** Null makes a new one. */
  condition: ConditionView | null
  onClose: () => void
}

const begin: Rule = { op: 'and', args: [{ attr: 'device.country', op: 'in', value: ['CN'] }] }

/** A condition: its name and colour, and the rule that says for whom it holds. */
export function ConditionDialog({ where, condition, onClose }: ConditionDialogProps) {
  const { t } = useTranslation('grow/remote-config')
  const [name, setName] = useState(condition?.name ?? '')
  const [tagColor, setColor] = useState<TagColor>(condition?.tagColor ?? 'BLUE')
  const [description, setDescription] = useState(condition?.description ?? '')
  const [rule, setRule] = useState<Rule>(condition?.rule ?? begin)
  const create = useAction(api.createCondition, { errors: 'form', onDone: onClose })
  const update = useAction(api.updateCondition, { errors: 'form', onDone: onClose })
  const remove = useAction(api.deleteCondition, { errors: 'form', onDone: onClose })
  const refused = create.error ?? update.error ?? remove.error
  const submit = () => {
    const body = { ...where, rule, tagColor, description }
    if (!condition) void create.run({ body: { ...body, name: name.trim() } })
    else
      void update.run({
        params: { name: condition.name },
        body: {
          ...body,
          revision: condition.revision,
          ...(name.trim() !== condition.name && { newName: name.trim() }),
        },
      })
  }
  return (
    <DialogBox
      title={condition ? t('conditions.edit') : t('conditions.create')}
      size="large"
      action={condition ? 'updateCondition' : 'createCondition'}
      isRunning={create.isRunning || update.isRunning || remove.isRunning}
      canSubmit={name.trim() !== '' && problemsOf(rule).length === 0}
      refusal={refused ? errorText(refused) : null}
      onClose={onClose}
      onSubmit={submit}
    >
      <FormField label={t('conditions.name')}>
        <Input value={name} ariaRequired onChange={({ detail }) => setName(detail.value.slice(0, limits.nameLength))} />
      </FormField>
      <FormField label={t('conditions.color')}>
        <Select
          selectedOption={{ value: tagColor, label: t(`colors.${tagColor}`) }}
          options={tagColors.map(value => ({ value, label: t(`colors.${value}`) }))}
          onChange={({ detail }) => setColor(detail.selectedOption.value as TagColor)}
        />
      </FormField>
      <RuleField projectId={where.projectId} rule={rule} onChange={setRule} />
      <FormField label={t('parameters.description')}>
        <Input
          value={description}
          onChange={({ detail }) => setDescription(detail.value.slice(0, limits.descriptionLength))}
        />
      </FormField>
      {condition && (
        <Can call={api.deleteCondition}>
          <Button
            formAction="none"
            data-action="deleteCondition"
            disabled={condition.parameters > 0}
            onClick={() => void remove.run({ params: { name: condition.name }, query: where })}
          >
            {t('conditions.delete')}
          </Button>
        </Can>
      )}
    </DialogBox>
  )
}
