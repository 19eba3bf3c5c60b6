import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type WordLanguage, type WordTopic, wordLanguages, wordTopics } from '../../rules.ts'
import { deskApi, toneOfVerdict, type WordView } from '../lifecycle-calls.ts'
import { WordForm } from './WordForm.tsx'

/** What texts of listings must not say, or should not, by language. */
export default function WordsPage() {
  const { t } = useTranslation('distribute/lifecycle')
  const [edited, setEdited] = useState<WordView | 'new' | null>(null)
  const table = useTableState<'language' | 'topic'>({ id: 'words', filters: ['language', 'topic'] })
  const { language, topic } = table.filters
  const result = useCall(
    deskApi.listWords,
    {
      query: {
        ...table.page,
        ...(table.search && { search: table.search }),
        ...(language && { language: language as WordLanguage }),
        ...(topic && { topic: topic as WordTopic }),
      },
    },
    { keepBefore: true },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('words.title')}
        description={t('words.text')}
        actions={
          <Button data-action="new-word" variant="primary" onClick={() => setEdited('new')}>
            {t('words.new')}
          </Button>
        }
      />
      <DataTable
        title={t('words.title')}
        table={table}
        result={result}
        rowKey={row => row.wordId}
        rowName={row => row.word}
        searchLabel={t('words.word')}
        filters={[
          {
            id: 'language',
            label: t('text.language'),
            options: wordLanguages.map(value => ({ value, label: t(`languages.${value}`) })),
          },
          {
            id: 'topic',
            label: t('words.topic'),
            options: wordTopics.map(value => ({ value, label: t(`topics.${value}`) })),
          },
        ]}
        empty={{ title: t('words.empty'), text: t('words.emptyText') }}
        columns={[
          {
            id: 'word',
            header: t('words.word'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <Button variant="inline-link" onClick={() => setEdited(row)}>
                <span translate="no">{row.word}</span>
              </Button>
            ),
          },
          { id: 'language', header: t('text.language'), minWidth: 120, cell: row => t(`languages.${row.language}`) },
          { id: 'topic', header: t('words.topic'), minWidth: 140, cell: row => t(`topics.${row.topic}`) },
          {
            id: 'level',
            header: t('detect.verdict'),
            minWidth: 150,
            cell: row => (
              <StatusBadge
                tone={row.isOff ? 'off' : toneOfVerdict[row.level]}
                text={row.isOff ? t('words.off') : t(`verdicts.${row.level}`)}
              />
            ),
          },
          { id: 'note', header: t('words.note'), minWidth: 160, cell: row => row.note || '–' },
        ]}
      />
      {edited && <WordForm word={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </SpaceBetween>
  )
}
