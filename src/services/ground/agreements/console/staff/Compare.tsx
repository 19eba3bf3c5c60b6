import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type DocumentView, documentsApi } from '../agreement-calls.ts'
import { DiffView } from '../DiffView.tsx'
import { useWords } from '../words.ts'

/** This version beside another of the same agreement and country, language by language. */
export function Compare({ document }: { document: DocumentView }) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const { agrType, branchId, country, version } = document
  const versions = useCall(documentsApi.listDocuments, { query: { agrType, branchId, country, pageSize: 100 } })
  const others = (versions.data?.list ?? []).filter(one => one.documentId !== document.documentId)
  const before = others.find(one => one.version < version) ?? others[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const documentId = chosen ?? before?.documentId
  const other = useCall(
    documentsApi.getDocument,
    { params: { documentId: documentId ?? '0' } },
    { enabled: documentId !== undefined },
  )
  const languages = document.languages.filter(one => other.data?.languages.includes(one))
  const [language, setLanguage] = useState<string | null>(null)
  const usual = languages.includes(words.languageKey) ? words.languageKey : languages[0]
  const shown = language !== null && languages.includes(language) ? language : usual
  const textOf = (of: DocumentView) => of.texts.find(one => one.language === shown)?.body ?? ''
  const pair = other.data ? [document, other.data].sort((a, b) => a.version - b.version) : []
  const [earlier, later] = pair
  if (others.length === 0) return null
  const options = others.map(one => ({
    value: one.documentId,
    label: t('text.version', { version: one.version }),
    description: t(`documentStates.${one.state}`),
  }))
  return (
    <Container header={<Header variant="h2">{t('diff.title')}</Header>}>
      <SpaceBetween size="m">
        <div className="lg-actions">
          <FormField label={t('diff.with')}>
            <Select
              selectedOption={options.find(one => one.value === documentId) ?? null}
              options={options}
              onChange={({ detail }) => setChosen(detail.selectedOption.value ?? null)}
            />
          </FormField>
          {shown !== undefined && (
            <FormField label={t('text.language')}>
              <Select
                selectedOption={{ value: shown, label: words.tongue(shown) }}
                options={languages.map(value => ({ value, label: words.tongue(value) }))}
                onChange={({ detail }) => setLanguage(detail.selectedOption.value ?? null)}
              />
            </FormField>
          )}
        </div>
        {other.error && <ErrorState error={other.error} onRetry={() => void other.refetch()} />}
        {other.data && shown === undefined && <EmptyState title={t('diff.noLanguage')} />}
        {earlier && later && shown !== undefined && (
          <DiffView before={textOf(earlier)} after={textOf(later)} label={t('diff.title')} />
        )}
      </SpaceBetween>
    </Container>
  )
}
