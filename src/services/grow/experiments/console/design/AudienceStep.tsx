import Alert from '@cloudscape-design/components/alert'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConditionBuilder } from '../../../../../console/kit/conditions/ConditionBuilder.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { problemsOf } from '../../../../../kernel/targeting/rule.ts'
import type { Design } from '../../rules.ts'
import { experimentsApi, layersApi, useRuleChoices } from '../experiment-calls.ts'
import { LayerPicture } from '../layers/LayerPicture.tsx'
import { numbersOf } from '../numbers.ts'
import type { StepProps } from './step-props.ts'

const everybody = { op: 'and' as const, args: [] }

/** Who takes part: a rule, a part of a layer, and a share of those; with how many that are now. */
export function AudienceStep({ experiment, design, isDisabled, onChange }: StepProps) {
  const { t } = useTranslation('grow/experiments')
  const choices = useRuleChoices(experiment.projectId)
  const { rule, exposurePercent, unitAttr } = design
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h3">{t('design.who')}</Header>}>
        <ConditionBuilder
          rule={rule ?? everybody}
          choices={choices}
          isDisabled={isDisabled}
          onChange={next => onChange({ rule: 'args' in next && next.args.length === 0 ? null : next })}
        />
      </Container>
      <Container>
        <SpaceBetween size="m">
          <ColumnLayout columns={2}>
            <FormField label={t('design.exposure')} description={t('design.exposureHint')}>
              <Input
                type="number"
                value={String(exposurePercent)}
                disabled={isDisabled}
                onChange={({ detail }) => onChange({ exposurePercent: Number(detail.value) })}
              />
            </FormField>
            <FormField label={t('design.unit')} description={t('design.unitHint')}>
              <div translate="no">
                <Select
                  selectedOption={{ value: unitAttr, label: unitAttr }}
                  options={['targetingKey', ...choices.attributes.filter(one => one !== 'targetingKey')].map(value => ({
                    value,
                    label: value,
                  }))}
                  disabled={isDisabled}
                  filteringType="auto"
                  onChange={({ detail }) => onChange({ unitAttr: detail.selectedOption.value ?? unitAttr })}
                />
              </div>
            </FormField>
          </ColumnLayout>
          <LayerChoice
            projectId={experiment.projectId}
            layer={design.layer}
            isDisabled={isDisabled}
            onChange={onChange}
          />
          <Estimate projectId={experiment.projectId} design={design} />
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}

interface LayerChoiceProps {
  projectId: string
  layer: Design['layer']
  isDisabled: boolean
  onChange: (more: Pick<Design, 'layer'>) => void
}

function LayerChoice({ projectId, layer, isDisabled, onChange }: LayerChoiceProps) {
  const { t } = useTranslation('grow/experiments')
  const found = useCall(layersApi.listLayers, { query: { projectId, pageSize: 100 } })
  const none = { value: '', label: t('design.noLayer') }
  const list = found.data?.list ?? []
  const options = [none, ...list.map(one => ({ value: one.layerId, label: one.name }))]
  const chosen = list.find(one => one.layerId === layer?.layerId)
  const pick = (layerId: string) => {
    const [free] = list.find(one => one.layerId === layerId)?.free ?? []
    onChange({ layer: layerId === '' ? null : { layerId, from: free?.from ?? 0, to: free?.to ?? 100 } })
  }
  return (
    <SpaceBetween size="s">
      <ColumnLayout columns={layer ? 3 : 1}>
        <FormField label={t('design.layer')} description={layer ? undefined : t('design.layerHint')}>
          <div translate="no">
            <Select
              selectedOption={options.find(one => one.value === (layer?.layerId ?? '')) ?? none}
              options={options}
              disabled={isDisabled}
              onChange={({ detail }) => pick(detail.selectedOption.value ?? '')}
            />
          </div>
        </FormField>
        {layer &&
          (['from', 'to'] as const).map(end => (
            <FormField key={end} label={t(`design.layerEnds.${end}`)}>
              <Input
                type="number"
                value={String(layer[end])}
                disabled={isDisabled}
                onChange={({ detail }) => onChange({ layer: { ...layer, [end]: Number(detail.value) } })}
              />
            </FormField>
          ))}
      </ColumnLayout>
      {chosen && <LayerPicture layer={chosen} />}
    </SpaceBetween>
  )
}

const settleMs = 400

/** How many would take part, asked again when the rule has been left alone for a moment. */
function Estimate({ projectId, design }: { projectId: string; design: Design }) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole } = numbersOf(i18n.resolvedLanguage)
  const { rule, exposurePercent, layer, variants } = design
  const wanted = JSON.stringify({
    rule,
    exposurePercent,
    layer: layer && { from: layer.from, to: layer.to },
    variants: variants.length,
  })
  const [settled, settle] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => settle(wanted), settleMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const asked = JSON.parse(settled) as { layer: { from: number; to: number } | null; rule: Design['rule'] }
  const { layer: part, ...others } = asked
  const body = { projectId, ...(others as Pick<Design, 'rule' | 'exposurePercent'>), ...(part && { layer: part }) }
  const isFit = asked.rule === null || problemsOf(asked.rule).length === 0
  const found = useCall(experimentsApi.estimateAudience, { body }, { enabled: isFit, keepBefore: true })
  if (!isFit) return <Alert type="warning">{t('design.ruleWrong')}</Alert>
  if (!found.data) return <div aria-live="polite">{t('design.counting')}</div>
  const { total, matched, takingPart, ofVariant } = found.data
  return (
    <div aria-live="polite">
      {total === 0
        ? t('design.noUsers')
        : t('design.estimate', {
            ...{
              matched: whole(matched),
              total: whole(total),
              takingPart: whole(takingPart),
              ofVariant: whole(ofVariant),
            },
          })}
    </div>
  )
}
