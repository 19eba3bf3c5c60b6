import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { stepFaults } from '../../../../../kernel/ramp/ramp.ts'
import type { RolloutView } from '../../rollouts/contract.ts'
import { usualSteps } from '../../rollouts/rules.ts'
import { limits, valueProblem } from '../../rules.ts'
import { releasesApi, rolloutsApi, type Where } from '../config-calls.ts'
import { ValueInput } from '../parameters/ValueField.tsx'
import { GuardsField, noGuards } from './GuardsField.tsx'
import { branchText, typedTime } from './rollout-words.ts'
import { StepsField, stepsOf, type TypedStep } from './StepsField.tsx'

interface Props {
  where: Where
  /** The draft that is changed; left out a new one is made. */
  of?: RolloutView
  onClose: () => void
  onMade: (rolloutId: string) => void
}

const typedSteps = (steps: RolloutView['steps'] = [...usualSteps]): TypedStep[] =>
  steps.map(({ percent, holdMs }, id) => ({ id, percent: String(percent), holdMs }))

const guardsOf = ({ guardrails, signals, srmAction }: RolloutView) => ({ guardrails, signals, srmAction })

/** A draft of a rollout, new or changed: which value of a parameter in force it replaces, by what, and in which steps. */
export function RolloutDialog({ where: { projectId, kind }, of, onClose, onMade }: Props) {
  const { t } = useTranslation('grow/remote-config')
  const template = useCall(releasesApi.getTemplate, { params: { projectId }, query: { kind } })
  const [name, setName] = useState(of?.name ?? '')
  const [key, setKey] = useState(of?.parameter ?? '')
  const [condition, setCondition] = useState<string | null>(of?.condition ?? null)
  const [value, setValue] = useState(of?.value ?? '')
  const [steps, setSteps] = useState(() => typedSteps(of?.steps))
  const [guards, setGuards] = useState(of ? guardsOf(of) : noGuards)
  const [time, setTime] = useState(typeof of?.startAt === 'number' ? typedTime(of.startAt) : '')
  const settle = {
    errors: 'form',
    onDone: ({ rolloutId }: RolloutView) => {
      onClose()
      onMade(rolloutId)
    },
  } as const
  const create = useAction(rolloutsApi.createRollout, settle)
  const update = useAction(rolloutsApi.updateRollout, settle)
  const parameters = template.data?.parameters ?? {}
  const keys = Object.keys(parameters).sort()
  const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined
  const now = parameter && (condition === null ? parameter.default : parameter.conditional[condition])
  const problem = parameter ? valueProblem(parameter.valueType, value) : null
  const isReady = name.trim() !== '' && parameter !== undefined && problem === null
  const refused = create.error ?? update.error ?? template.error
  const startAt = time === '' ? null : new Date(time).getTime()
  const branches = [null, ...Object.keys(parameter?.conditional ?? {})]
  return (
    <DialogBox
      title={t(of ? 'rollouts.verbs.edit' : 'rollouts.create')}
      {...(of && { verb: t('rollouts.save') })}
      size="large"
      action={of ? 'edit' : 'createRollout'}
      isRunning={create.isRunning || update.isRunning}
      canSubmit={isReady && !Number.isNaN(startAt ?? 0) && stepFaults(stepsOf(steps)).length === 0}
      refusal={refused ? errorText(refused) : null}
      onClose={onClose}
      onSubmit={() => {
        const body = { name: name.trim(), parameter: key, condition, value, steps: stepsOf(steps), startAt, ...guards }
        if (of) void update.run({ params: { rolloutId: of.rolloutId }, body: { ...body, revision: of.revision } })
        else void create.run({ body: { projectId, kind, ...body } })
      }}
    >
      <FormField label={t('rollouts.name')}>
        <Input value={name} ariaRequired onChange={({ detail }) => setName(detail.value.slice(0, limits.nameLength))} />
      </FormField>
      <FormField
        label={t('rollouts.parameter')}
        constraintText={template.data && keys.length === 0 ? t('rollouts.noParameters') : ''}
      >
        <Select
          selectedOption={key === '' ? null : { value: key, label: key }}
          options={keys.map(one => ({ value: one, label: one }))}
          placeholder={t('rollouts.chooseParameter')}
          filteringType={keys.length > 10 ? 'auto' : 'none'}
          statusType={template.isLoading ? 'loading' : 'finished'}
          loadingText={t('loading')}
          onChange={({ detail }) => {
            setKey(detail.selectedOption.value ?? '')
            setCondition(null)
            setValue('')
          }}
        />
      </FormField>
      {parameter && branches.length > 1 && (
        <FormField label={t('rollouts.branch')}>
          <Select
            selectedOption={{ value: condition ?? '', label: branchText(t, condition) }}
            options={branches.map(one => ({ value: one ?? '', label: branchText(t, one) }))}
            onChange={({ detail }) => setCondition(detail.selectedOption.value || null)}
          />
        </FormField>
      )}
      {parameter && (
        <FormField
          label={t('rollouts.value')}
          constraintText={t('rollouts.nowValue', {
            value:
              now && 'value' in now ? now.value.slice(0, 200) || t('parameters.emptyValue') : t('parameters.inApp'),
          })}
          errorText={problem && value !== '' ? t(`problems.${problem}`) : ''}
          stretch
        >
          <ValueInput label={t('rollouts.value')} valueType={parameter.valueType} text={value} onChange={setValue} />
        </FormField>
      )}
      <StepsField steps={steps} onChange={setSteps} />
      <FormField label={t('rollouts.startAt')} constraintText={t('rollouts.draftStartText')}>
        <input
          className="rcs-time"
          type="datetime-local"
          aria-label={t('rollouts.startAt')}
          value={time}
          onChange={event => setTime(event.target.value)}
        />
      </FormField>
      <GuardsField projectId={projectId} guards={guards} onChange={setGuards} />
    </DialogBox>
  )
}
