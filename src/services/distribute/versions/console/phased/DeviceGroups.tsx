import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { fieldApi, type RollbackView, type VersionView } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

type Way = RollbackView['modes'][number]

interface DeviceGroupsProps {
  version: VersionView
  way: Way
  target: Way['targets'][number] | undefined
  /** What the older build would be called when it comes again. */
  forward: string
}

/** What a way back means for devices that have the version, were offered it, or have an older one. */
export function DeviceGroups({ version, way, target, forward }: DeviceGroupsProps) {
  const { t } = useTranslation('distribute/versions')
  const { appId, versionId } = version
  const field = useCall(fieldApi.listFieldVersions, { query: { appId, days: 1 } }).data
  const have = field?.list.find(one => one.versionId === versionId)?.active
  const names = { bad: nameOf(version), target: target ? nameOf(target) : t('rollback.older'), forward }
  return (
    <dl className="phased-groups">
      {way.groups.map(({ group, effect }) => (
        <div key={group}>
          <dt>
            {t(`rollback.groups.${group}`)}
            {group === 'updated' && have !== undefined && (
              <span className="lg-soft phased-have">
                {t('rollback.devices', { count: have, shown: have.toLocaleString(shownLocale()) })}
              </span>
            )}
          </dt>
          <dd>{t(`rollback.means.${group}.${effect}`, names)}</dd>
        </div>
      ))}
    </dl>
  )
}
