import './rules.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import type { Language } from '../../../../../console/language.ts'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { type Rule, rules, type Section, sections } from './registry.data.ts'

interface Wanted {
  q: string
  section: Section | undefined
}

const readSearch = (raw: Record<string, unknown>): Wanted => ({
  q: typeof raw['q'] === 'string' ? raw['q'] : '',
  section: sections.find(one => one === String(raw['section'])),
})

/** Those that have every word somewhere: in what they say in any language, or in the test that holds them. */
function matching(typed: string): readonly Rule[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return rules.filter(rule => {
    const text = [rule.zh, rule.en, rule.ru, rule.file, rule.sentence].join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** Every rule of the specification by section, with the test that holds it; the check of the build keeps the list true. */
export default function RulesPage() {
  const { t } = useTranslation('ground/reference')
  const [{ q, section }, change] = usePageSearch(readSearch)
  const found = matching(q).filter(rule => section === undefined || rule.section === section)
  const clear = () => change({ q: undefined, section: undefined })
  const named = (one: Section) => `${one}. ${t(`rules.sections.${one}`)}`
  const all = { value: '', label: t('table.all') }
  const options = sections
    .filter(one => rules.some(rule => rule.section === one))
    .map(one => ({ value: one as string, label: named(one) }))

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('rules.title')} description={t('rules.text')} />
      <div className="lg-table-tools">
        <TextFilter
          filteringText={q}
          filteringPlaceholder={t('rules.search')}
          filteringAriaLabel={t('rules.search')}
          onChange={({ detail }) => change({ q: detail.filteringText || undefined }, { replace: true })}
        />
        <FormField label={t('rules.section')}>
          <Select
            selectedOption={options.find(one => one.value === section) ?? all}
            options={[all, ...options]}
            expandToViewport
            onChange={({ detail }) =>
              change({ section: (detail.selectedOption.value || undefined) as Wanted['section'] })
            }
          />
        </FormField>
        <span className="rules-count" aria-live="polite">
          {t('rules.found', { count: found.length })}
        </span>
      </div>
      {found.length === 0 && (
        <Container>
          <EmptyState
            title={t('table.noMatch')}
            text={t('table.noMatchText')}
            action={<Button onClick={clear}>{t('table.clear')}</Button>}
          />
        </Container>
      )}
      {sections.map(one => {
        const held = found.filter(rule => rule.section === one)
        return held.length > 0 && <SectionOfRules key={one} title={named(one)} rules={held} />
      })}
    </SpaceBetween>
  )
}

function SectionOfRules({ title, rules: held }: { title: string; rules: readonly Rule[] }) {
  const { t, i18n } = useTranslation('ground/reference')
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${held.length})`}>
          {title}
        </Header>
      }
    >
      <ul className="rules-list">
        {held.map(rule => (
          <li key={`${rule.file} ${rule.sentence} ${rule.en}`}>
            <div className="rules-words">{rule[i18n.resolvedLanguage as Language]}</div>
            <div className="lg-soft">
              {t('rules.heldBy')}{' '}
              <span lang="en" translate="no">
                “{rule.sentence}” <code>{rule.file}</code>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Container>
  )
}
