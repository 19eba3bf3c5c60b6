import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import type { RecordalView } from './recordal-calls.ts'

const fields = ['packageName', 'certMd5', 'publicKeyModulus'] as const

/** What the authority asks for of the package, ready to be copied. */
export function PackageValues({ actual }: { actual: RecordalView['actual'] }) {
  const { t } = useTranslation('distribute/recordal')
  return (
    <Container
      header={
        <Header variant="h2" description={t('valuesText')}>
          {t('values')}
        </Header>
      }
    >
      {actual ? (
        <KeyValuePairs
          columns={1}
          items={fields.map(field => {
            const value = actual[field]
            return {
              label: t(`fields.${field}`),
              value:
                value === null ? (
                  '–'
                ) : (
                  <span className="recordal-hex" translate="no">
                    <CopyToClipboard
                      variant="inline"
                      textToCopy={value}
                      copyButtonAriaLabel={t('copy', { field: t(`fields.${field}`) })}
                      copySuccessText={t('copied')}
                      copyErrorText={t('notCopied')}
                    />
                  </span>
                ),
            }
          })}
        />
      ) : (
        <EmptyState title={t('noPackage')} text={t('noPackageText')} />
      )}
    </Container>
  )
}
