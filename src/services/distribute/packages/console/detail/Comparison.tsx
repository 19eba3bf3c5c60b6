import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, differenceCalls, type PackageView } from '../package-calls.ts'
import { nameOf } from '../package-words.ts'
import { Differences } from './Differences.tsx'

/** What changes for a device when this package takes the place of another one; the other stands in the address. */
export function Comparison({ appId, one }: { appId: string; one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const [{ with: otherId }, change] = usePageSearch<{ with?: string }>(raw => raw as { with?: string })
  const list = useCall(api.listPackages, { query: { appId, pageSize: 100 } })
  const others = (list.data?.list ?? [])
    .filter(other => other.pkgId !== one.pkgId && other.versionCode !== null)
    .map(other => ({ value: other.pkgId, label: nameOf(other), description: other.fileName }))
  const otherPkgId = others.find(other => other.value === otherId)?.value
  const found = useCall(
    differenceCalls.comparePackages,
    { query: { pkgId: one.pkgId, otherPkgId: otherPkgId ?? one.pkgId } },
    { enabled: otherPkgId !== undefined },
  )
  return (
    <Container
      header={
        <Header variant="h2" description={t('compare.text')}>
          {t('compare.title')}
        </Header>
      }
    >
      {others.length === 0 ? (
        <span className="lg-soft">{t('compare.alone')}</span>
      ) : (
        <SpaceBetween size="l">
          <FormField label={t('compare.with')}>
            <Select
              selectedOption={others.find(other => other.value === otherPkgId) ?? null}
              options={others}
              placeholder={t('compare.choose')}
              filteringType={others.length > 10 ? 'auto' : 'none'}
              onChange={({ detail }) => change({ with: detail.selectedOption.value }, { replace: true })}
            />
          </FormField>
          {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
          {otherPkgId && found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
          {otherPkgId && found.data && (
            <>
              <Differences found={found.data} />
              <Link
                href={`${hrefOf('/apps/$appId/packages/$pkgId/difference', { appId, pkgId: one.pkgId })}?with=${otherPkgId}`}
              >
                {t('compare.link')}
              </Link>
            </>
          )}
        </SpaceBetween>
      )}
    </Container>
  )
}
