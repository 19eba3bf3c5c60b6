import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { listingLanguages } from '../../contract.ts'
import { type PackageType, packageTypes } from '../../rules.ts'
import { languageName } from '../app-words.ts'
import { DeviceChoice } from '../DeviceChoice.tsx'
import { KindField } from '../KindField.tsx'
import type { NewAppForm } from './new-app.ts'

interface FactsStepProps {
  of: NewAppForm
  zone: ZoneId
  /** The types that the operator leaves open; the others stand there, closed. */
  openTypes: readonly PackageType[]
}

export function FactsStep({ of, zone, openTypes }: FactsStepProps) {
  const { t } = useTranslation('distribute/apps')
  const isGame = of.form.watch('isGame') ?? false
  return (
    <Container>
      <SpaceBetween size="l">
        <TextField of={of} name="name" label={t('app.name')} hint={t('new.nameHint')} />
        <SelectField
          of={of}
          name="defaultLang"
          label={t('app.defaultLang')}
          description={t('new.defaultLangText')}
          options={listingLanguages.map(key => ({ value: key, label: languageName(key) }))}
        />
        <SelectField
          of={of}
          name="packageType"
          label={t('app.type')}
          options={packageTypes.map(type => ({
            value: type,
            label: t(`types.${type}`),
            description: openTypes.includes(type) ? t(`typeTexts.${type}`) : t('new.typeClosed'),
            disabled: !openTypes.includes(type),
          }))}
        />
        <FormField label={t('new.sort')}>
          <SegmentedControl
            label={t('new.sort')}
            selectedId={isGame ? 'game' : 'app'}
            options={[
              { id: 'app', text: t('new.sortApp') },
              { id: 'game', text: t('new.sortGame') },
            ]}
            onChange={({ detail }) => {
              of.form.setValue('isGame', detail.selectedId === 'game')
              of.form.setValue('kindMainTag', undefined)
            }}
          />
        </FormField>
        <KindField of={of} name="kindMainTag" isGame={isGame} zone={zone} hint={t('new.kindHint')} />
        <DeviceChoice of={of} name="deviceTypes" />
      </SpaceBetween>
    </Container>
  )
}
