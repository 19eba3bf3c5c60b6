import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BarList } from '../../../../../console/kit/BarList.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { localeOf } from '../../../../../console/language.ts'
import { notify } from '../../../../../console/notify.ts'
import { may } from '../../../../../console/session.ts'
import { shownLanguage } from '../../../../../console/shown.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { limits } from '../../rules.ts'
import { api, type RatingView } from '../lifecycle-calls.ts'

const scores = ['1', '2', '3', '4', '5'] as const

/** What the members of the team think of the app, by the criteria that the store keeps. */
export function AlphaRating({ appId }: { appId: string }) {
  const { t } = useTranslation('distribute/lifecycle')
  const found = useCall(api.getAlphaRating, { query: { appId } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const rating = found.data
  if (!rating) return null
  const stars = (value: number) => (value / 100).toLocaleString(localeOf[shownLanguage()], { maximumFractionDigits: 1 })
  const average =
    rating.average === null ? '' : t('alpha.average', { average: stars(rating.average), count: rating.notes.length })
  return (
    <Container
      header={
        <Header variant="h2" description={average}>
          {t('alpha.title')}
        </Header>
      }
    >
      {rating.criteria.length === 0 ? (
        <EmptyState title={t('alpha.none')} text={t('alpha.noneText')} />
      ) : (
        <SpaceBetween size="l">
          {rating.byCriterion.length > 0 && (
            <BarList
              label={t('alpha.title')}
              language={localeOf[shownLanguage()]}
              bars={rating.byCriterion.map(one => ({
                id: one.rowId,
                label: rating.criteria.find(row => row.rowId === one.rowId)?.titles[shownLanguage()] ?? '',
                value: one.average / 100,
              }))}
            />
          )}
          {rating.notes
            .filter(one => one.note !== '')
            .map(one => (
              <Box key={`${one.name} ${one.at}`}>
                <strong translate="no">{one.name}</strong> {stars(one.average)} · <When at={one.at} />
                <div translate="no">{one.note}</div>
              </Box>
            ))}
          {may('lifecycle.rate') && <OwnRating key={rating.own?.revision ?? 0} rating={rating} />}
        </SpaceBetween>
      )}
    </Container>
  )
}

function OwnRating({ rating }: { rating: RatingView }) {
  const { t } = useTranslation('distribute/lifecycle')
  const [given, setGiven] = useState<Record<string, number>>(rating.own?.scores ?? {})
  const [note, setNote] = useState(rating.own?.note ?? '')
  const act = useAction(api.rateAlpha, { onDone: () => notify({ tone: 'success', text: t('alpha.saved') }) })
  const known = new Set(rating.criteria.map(one => one.rowId))
  const wanted = Object.fromEntries(Object.entries(given).filter(([rowId]) => known.has(rowId)))
  return (
    <SpaceBetween size="m">
      {rating.criteria.map(one => (
        <FormField key={one.rowId} label={one.titles[shownLanguage()]} description={one.texts[shownLanguage()]}>
          <SegmentedControl
            label={one.titles[shownLanguage()]}
            selectedId={given[one.rowId] === undefined ? null : String(given[one.rowId])}
            options={scores.map(id => ({ id, text: id }))}
            onChange={({ detail }) => setGiven({ ...given, [one.rowId]: Number(detail.selectedId) })}
          />
        </FormField>
      ))}
      <FormField label={t('alpha.note')}>
        <Textarea
          value={note}
          rows={3}
          onChange={({ detail }) => setNote(detail.value.slice(0, limits.ratingTextLength))}
        />
      </FormField>
      <Button
        data-action="rate"
        disabled={Object.keys(wanted).length === 0}
        loading={act.isRunning}
        onClick={() => void act.run({ body: { appId: rating.appId, scores: wanted, note } })}
      >
        {t('alpha.save')}
      </Button>
    </SpaceBetween>
  )
}
