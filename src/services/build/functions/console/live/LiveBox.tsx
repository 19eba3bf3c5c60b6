import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { testApi } from '../function-calls.ts'
import { LineTail } from './LineTail.tsx'

const askEveryMs = 1_500
/** From a level on, everything graver is shown, too. */
const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

/** Lines as copies write them, while somebody wants to see them. What was shown last stays when he pauses. */
export function LiveBox({ functionId }: { functionId: string }) {
  const { t } = useTranslation('build/functions')
  const [isOn, setOn] = useState(false)
  const [wanted, setWanted] = useState('')
  const [least, setLeast] = useState<Level>('debug')
  const found = useCall(
    testApi.listLiveLines,
    { params: { functionId } },
    { enabled: isOn, refetchInterval: isOn ? askEveryMs : false, staleTime: 0 },
  )
  const list = found.data?.list ?? []
  const words = wanted.trim().toLowerCase()
  const isShown = ({ level, line, requestId }: (typeof list)[number]) =>
    levels.indexOf(level) >= levels.indexOf(least) && `${line} ${requestId ?? ''}`.toLowerCase().includes(words)
  const shown = list.filter(isShown)
  const nothing = list.length > 0 ? t('live.noMatch') : t(isOn ? 'live.empty' : 'live.off')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('live.text')}
          actions={
            <Button data-action="watch" iconName={isOn ? 'pause' : 'play'} onClick={() => setOn(!isOn)}>
              {t(isOn ? 'live.pause' : 'live.start')}
            </Button>
          }
        >
          {t('live.title')}
        </Header>
      }
    >
      <SpaceBetween size="s">
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {list.length > 0 && (
          <div className="fn-live-filter">
            <TextFilter
              filteringText={wanted}
              filteringAriaLabel={t('live.search')}
              filteringPlaceholder={t('live.search')}
              onChange={({ detail }) => setWanted(detail.filteringText)}
            />
            <SegmentedControl
              label={t('live.level')}
              selectedId={least}
              options={levels.map(id => ({ id, text: t(`live.levels.${id}`) }))}
              onChange={({ detail }) => setLeast(detail.selectedId as Level)}
            />
          </div>
        )}
        {shown.length > 0 ? <LineTail lines={shown} /> : <Box color="text-body-secondary">{nothing}</Box>}
      </SpaceBetween>
    </Container>
  )
}
