import './phased.css'
import Checkbox from '@cloudscape-design/components/checkbox'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useTranslation } from 'react-i18next'
import {
  type NewInstalls,
  newInstallWays,
  phasedKinds,
  phasedLimits,
  type Sampling,
  samplings,
} from '../../phased/rules.ts'
import { GateFields } from './GateFields.tsx'
import { PercentField } from './PercentField.tsx'
import { PhaseCountries } from './PhaseCountries.tsx'
import { PhaseEnd } from './PhaseEnd.tsx'
import type { PhaseChoice } from './phase-choice.ts'

interface ChoosePhaseProps {
  value: PhaseChoice
  onChange: (value: PhaseChoice) => void
  /** Where the version is offered. */
  countries: readonly string[]
}

/** To everybody at once, or to some devices first while the others keep the full version. */
export function ChoosePhase({ value, onChange, countries }: ChoosePhaseProps) {
  const { t } = useTranslation('distribute/versions')
  const set = (part: Partial<PhaseChoice>) => onChange({ ...value, ...part })
  const samplingOf = (one: Sampling) => ({ value: one, label: t(`phased.samplings.${one}`) })
  const newOf = (one: NewInstalls) => ({ value: one, label: t(`phased.newInstallsOf.${one}`) })
  const used = [...value.description].length
  return (
    <SpaceBetween size="m">
      <FormField label={t('phased.who')}>
        <RadioGroup
          value={value.way}
          onChange={({ detail }) => set({ way: detail.value as PhaseChoice['way'] })}
          items={(['WHOLE', ...phasedKinds] as const).map(one => ({
            value: one,
            label: t(`phased.ways.${one}`),
            description: t(`phased.wayTexts.${one}`),
          }))}
        />
      </FormField>
      {value.way === 'PERCENT' && (
        <PercentField value={value.percent} above="0" onChange={percent => set({ percent })} />
      )}
      {value.way === 'PERCENT' && <PhaseEnd value={value.endAt} onChange={endAt => set({ endAt })} />}
      {value.way !== 'WHOLE' && (
        <SpaceBetween size="m">
          <FormField label={t('phased.sampling')}>
            <Select
              selectedOption={samplingOf(value.sampling)}
              options={samplings.map(samplingOf)}
              onChange={({ detail }) => set({ sampling: detail.selectedOption.value as PhaseChoice['sampling'] })}
            />
          </FormField>
          <FormField label={t('phased.newInstalls')}>
            <Select
              selectedOption={newOf(value.newInstalls)}
              options={newInstallWays.map(newOf)}
              onChange={({ detail }) => set({ newInstalls: detail.selectedOption.value as PhaseChoice['newInstalls'] })}
            />
          </FormField>
          {(countries.length > 1 || value.countries.length > 0) && (
            <PhaseCountries
              offered={countries}
              value={value.countries}
              onChange={chosen => set({ countries: chosen })}
            />
          )}
          <Checkbox checked={value.manualPull} onChange={({ detail }) => set({ manualPull: detail.checked })}>
            {t('phased.manualPull')}
          </Checkbox>
          <ExpandableSection headerText={t('phased.gates.title')} defaultExpanded={value.gates.length > 0}>
            <SpaceBetween size="s">
              <p className="version-said">{t('phased.asks.setGates')}</p>
              <GateFields value={value.gates} onChange={gates => set({ gates })} />
            </SpaceBetween>
          </ExpandableSection>
          <FormField
            label={t('phased.description')}
            constraintText={t('form.used', { used, max: phasedLimits.descriptionLength })}
            errorText={
              used > phasedLimits.descriptionLength
                ? t('form.maxLength', { count: phasedLimits.descriptionLength })
                : undefined
            }
          >
            <Textarea
              value={value.description}
              rows={2}
              onChange={({ detail }) => set({ description: detail.value })}
            />
          </FormField>
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
