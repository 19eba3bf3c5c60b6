import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { developerAgreements } from '../../developer/contract.ts'
import { developerKinds, everywhere } from '../../rules.ts'
import { developerApi } from '../agreement-calls.ts'
import { WhenChoice } from '../WhenChoice.tsx'
import { useWords } from '../words.ts'

/** Drafts an agreement of the team with its users. */
export default function NewAgreementPage() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const go = useGo()
  const form = useContractForm(developerAgreements.calls.createAgreement.body, {
    kind: 'EULA',
    country: everywhere,
    language: words.languageKey,
    title: '',
    body: '',
    effectiveAt: null,
  })
  const create = useAction(developerApi.createAgreement, {
    errors: 'form',
    onDone: ({ agreementId }) => go('/team/agreements/$agreementId', { agreementId }),
  })
  const { watch, setValue, formState } = form.form
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('own.new')} description={t('own.newText')} />
      <Container>
        <ContractFormBox
          of={form}
          action={create}
          submit={body => create.run({ body })}
          submitLabel={t('own.saveDraft')}
          onCancel={() => go('/team/agreements')}
        >
          <SelectField
            of={form}
            name="kind"
            label={t('own.kind')}
            options={developerKinds.map(value => ({
              value,
              label: t(`kinds.${value}`),
              description: t(`kindTexts.${value}`),
            }))}
          />
          <SelectField of={form} name="country" label={t('country.label')} options={words.countries()} />
          <SelectField of={form} name="language" label={t('text.language')} options={words.tongues()} />
          <TextField of={form} name="title" label={t('own.name')} />
          <TextAreaField of={form} name="body" label={t('text.body')} hint={t('text.plain')} rows={16} />
          <WhenChoice
            value={watch('effectiveAt') ?? null}
            onChange={at => setValue('effectiveAt', at)}
            error={formState.errors['effectiveAt']?.message as string | undefined}
          />
        </ContractFormBox>
      </Container>
    </SpaceBetween>
  )
}
