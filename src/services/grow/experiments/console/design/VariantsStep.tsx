import '../experiments.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { limits, parametersOf, type Variant } from '../../rules.ts'
import { experimentsApi } from '../experiment-calls.ts'
import type { StepProps } from './step-props.ts'

/** The parameters an experiment is about, and its variants side by side with a value for each. */
export function VariantsStep({ experiment, design, isDisabled, onChange }: StepProps) {
  const { t } = useTranslation('grow/experiments')
  const { projectId, kind } = experiment
  const targets = useCall(experimentsApi.listTargets, { query: { projectId, kind, pageSize: 100 } })
  const [chosen, setChosen] = useState(parametersOf(design))
  const list = targets.data?.list ?? []
  const ownerOf = ({ ownedBy, rollout }: (typeof list)[number]) => {
    if (ownedBy && ownedBy.experimentId !== experiment.experimentId) return t('design.ownedBy', { name: ownedBy.name })
    return rollout === null ? null : t('design.rolledOut', { name: rollout })
  }
  const options = list.map(one => ({
    ...{ value: one.key, label: one.key, tags: [one.valueType] },
    description: ownerOf(one) ?? one.description,
  }))
  const { variants, baseline } = design
  const sum = Math.round(variants.reduce((total, one) => total + one.weight, 0) * 100) / 100
  const put = (at: number, more: Partial<Variant>) =>
    onChange({ variants: variants.map((one, place) => (place === at ? { ...one, ...more } : one)) })
  const choose = (keys: string[]) => {
    setChosen(keys)
    const kept = (payload: Variant['payload']) =>
      Object.fromEntries(Object.entries(payload).filter(([key]) => keys.includes(key)))
    onChange({ variants: variants.map(one => ({ ...one, payload: kept(one.payload) })) })
  }
  const even = (list: Variant[]) =>
    list.map((one, at) => {
      const share = Math.floor(10_000 / list.length) / 100
      return { ...one, weight: at === 0 ? Math.round((100 - share * (list.length - 1)) * 100) / 100 : share }
    })
  const add = () => {
    const key = Array.from({ length: limits.variants }, (_one, at) => `variant${at + 1}`).find(
      name => !variants.some(one => one.key === name),
    )
    if (key) onChange({ variants: even([...variants, { key, name: key, weight: 0, payload: {} }]) })
  }
  return (
    <SpaceBetween size="l">
      <Container>
        <FormField label={t('design.parameters')} description={t('design.parametersHint')} stretch>
          <div translate="no">
            <Multiselect
              selectedOptions={chosen.map(value => options.find(one => one.value === value) ?? { value, label: value })}
              options={options}
              filteringType="auto"
              disabled={isDisabled}
              statusType={targets.isPending ? 'loading' : targets.error ? 'error' : 'finished'}
              empty={t('design.noParameters')}
              onChange={({ detail }) => choose(detail.selectedOptions.map(one => one.value ?? ''))}
            />
          </div>
        </FormField>
      </Container>
      {sum !== 100 && <Alert type="warning">{t('design.weights', { sum })}</Alert>}
      <div className="lg-variants">
        {variants.map((variant, at) => (
          <Container
            key={`variant-${variant.key}`}
            header={
              <Header
                variant="h3"
                description={variant.key === baseline ? t('design.baseline') : undefined}
                actions={
                  variant.key !== baseline && variants.length > limits.leastVariants ? (
                    <Button
                      iconName="remove"
                      variant="icon"
                      disabled={isDisabled}
                      ariaLabel={t('design.removeVariant', { name: variant.name })}
                      onClick={() => onChange({ variants: even(variants.filter(one => one.key !== variant.key)) })}
                    />
                  ) : undefined
                }
              >
                <span translate="no">{variant.name}</span>
              </Header>
            }
          >
            <SpaceBetween size="s">
              <FormField label={t('name')}>
                <Input
                  value={variant.name}
                  disabled={isDisabled}
                  onChange={({ detail }) => put(at, { name: detail.value })}
                />
              </FormField>
              <FormField label={t('design.weight')}>
                <Input
                  type="number"
                  value={String(variant.weight)}
                  disabled={isDisabled}
                  onChange={({ detail }) => put(at, { weight: Number(detail.value) })}
                />
              </FormField>
              {chosen.map(key => {
                const inForce = list.find(one => one.key === key)?.value ?? ''
                return (
                  <FormField key={key} label={<span translate="no">{key}</span>} stretch>
                    <Textarea
                      value={variant.payload[key] ?? ''}
                      rows={2}
                      disabled={isDisabled}
                      spellcheck={false}
                      ariaLabel={`${variant.name}: ${key}`}
                      placeholder={inForce === '' ? t('design.asItIs') : inForce}
                      onChange={({ detail }) => {
                        const { [key]: _before, ...others } = variant.payload
                        put(at, { payload: detail.value === '' ? others : { ...others, [key]: detail.value } })
                      }}
                    />
                  </FormField>
                )
              })}
            </SpaceBetween>
          </Container>
        ))}
      </div>
      <Button iconName="add-plus" disabled={isDisabled || variants.length >= limits.variants} onClick={add}>
        {t('design.addVariant')}
      </Button>
    </SpaceBetween>
  )
}
