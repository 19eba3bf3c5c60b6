import '../agreements.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { documentsApi, type KindView } from '../agreement-calls.ts'
import { useWords } from '../words.ts'
import { KindForm } from './KindForm.tsx'

/** Who signs what, and what waits for it. */
export default function KindsPage() {
  const { t } = useTranslation('ground/agreements')
  const { language } = useWords()
  const [editing, setEditing] = useState<KindView | 'new' | null>(null)
  const found = useCall(documentsApi.listKinds, {})
  const list = found.data?.list ?? []
  const create = (
    <Button variant="primary" data-action="setKind" onClick={() => setEditing('new')}>
      {t('kind.new')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('kind.title')} description={t('kind.text')} actions={create} />
      <Container>
        {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && list.length === 0 && <EmptyState title={t('kind.empty')} text={t('kind.emptyText')} />}
        {list.map(kind => (
          <div className="agr-line" key={`${kind.agrType}/${kind.branchId}`}>
            <div>
              <strong>{kind.name[language]}</strong>{' '}
              <code className="lg-soft">
                {kind.agrType}/{kind.branchId}
              </code>
              <br />
              <span className="lg-soft">
                {t(`signers.${kind.signer}`)}
                {' · '}
                {kind.isWithdrawable ? t('kind.withdrawable') : t('kind.notWithdrawable')}
                {kind.permissions.length > 0 && (
                  <>
                    {' · '}
                    <span translate="no">{kind.permissions.join(', ')}</span>
                  </>
                )}
              </span>
            </div>
            <StatusBadge
              tone={kind.isRequired ? 'caution' : 'off'}
              text={kind.isRequired ? t('kind.required') : t('kind.optional')}
            />
            <Button
              data-action="setKind"
              ariaLabel={t('kind.editOf', { name: kind.name[language] })}
              onClick={() => setEditing(kind)}
            >
              {t('action.edit')}
            </Button>
          </div>
        ))}
      </Container>
      {editing && (
        <KindForm
          kind={editing === 'new' ? null : editing}
          permissions={found.data?.permissions ?? []}
          onClose={() => setEditing(null)}
        />
      )}
    </SpaceBetween>
  )
}
