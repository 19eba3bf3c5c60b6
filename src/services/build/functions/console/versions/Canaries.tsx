import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { aliasApi, canaryApi } from '../function-calls.ts'
import { CanaryDialog } from './CanaryDialog.tsx'
import { CanaryPicture } from './CanaryPicture.tsx'

/** Second versions on their way: how far they came, and how they do. */
export function Canaries({ functionId, versions }: { functionId: string; versions: readonly string[] }) {
  const { t } = useTranslation('build/functions')
  const [isStarting, setStarting] = useState(false)
  const params = { functionId }
  const found = useCall(canaryApi.listCanaries, { params, query: {} }, { refetchInterval: 5_000, staleTime: 0 })
  const aliases = useCall(aliasApi.listAliases, { params })
  const list = found.data?.list ?? []
  const open = list.filter(one => one.endedAt === null)
  const over = list.filter(one => one.endedAt !== null)
  const free = (aliases.data?.list ?? []).filter(alias => !open.some(one => one.aliasName === alias.name))
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('canary.text')}
          actions={
            <Can call={canaryApi.startCanary}>
              <Button
                data-action="new-canary"
                disabled={free.length === 0 || versions.length < 3}
                onClick={() => setStarting(true)}
              >
                {t('canary.new')}
              </Button>
            </Can>
          }
        >
          {t('canary.title')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {list.length === 0 && <Box color="text-body-secondary">{t('canary.none')}</Box>}
        {open.map(one => (
          <CanaryPicture key={one.canaryId} canary={one} />
        ))}
        {over.length > 0 && (
          <ExpandableSection headerText={t('canary.over', { count: over.length })}>
            <SpaceBetween size="l">
              {over.map(one => (
                <CanaryPicture key={one.canaryId} canary={one} />
              ))}
            </SpaceBetween>
          </ExpandableSection>
        )}
      </SpaceBetween>
      {isStarting && (
        <CanaryDialog
          functionId={functionId}
          aliases={free}
          versions={versions.filter(one => /^[0-9]+$/.test(one))}
          onClose={() => setStarting(false)}
        />
      )}
    </Container>
  )
}
