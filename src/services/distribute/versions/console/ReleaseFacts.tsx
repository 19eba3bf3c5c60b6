import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import type { VersionView } from './version-calls.ts'
import { ZonedTime } from './ZonedTime.tsx'

/** When approval becomes a release. */
export function ReleaseFacts({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { releaseMode, onShelfTime, inAppUpdatePriority, minVersionCode, noDowngrade, heldBy } = version
  return (
    <KeyValuePairs
      columns={2}
      minColumnWidth={220}
      items={[
        { label: t('release.mode'), value: t(`release.modes.${heldBy === null ? releaseMode : 'TOGETHER'}`) },
        ...(releaseMode === 'TIMED'
          ? [
              {
                label: t('release.time'),
                value: onShelfTime === null ? t('release.noTime') : <ZonedTime at={onShelfTime} />,
              },
            ]
          : []),
        { label: t('release.priority'), value: t('release.priorityOf', { value: inAppUpdatePriority }) },
        {
          label: t('minimum.title'),
          value: minVersionCode === null ? t('minimum.none') : t('minimum.below', { code: minVersionCode }),
        },
        ...(noDowngrade ? [{ label: t('release.data'), value: t('release.noDowngrade') }] : []),
      ]}
    />
  )
}
