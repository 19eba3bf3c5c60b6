import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'

interface TeamNumbersProps {
  counts: { projects: number; apps: number; members: number; storedObjects: number; storedBytes: number }
}

export function TeamNumbers({ counts }: TeamNumbersProps) {
  const { t } = useTranslation('distribute/apps')
  return (
    <dl className="apps-numbers">
      <div>
        <dt>
          <Link href={hrefOf('/apps')}>{t('homePage.apps')}</Link>
        </dt>
        <dd>{counts.apps}</dd>
      </div>
      <div>
        <dt>
          <Link href={hrefOf('/projects')}>{t('homePage.projects')}</Link>
        </dt>
        <dd>{counts.projects}</dd>
      </div>
      <div>
        <dt>
          <Link href={hrefOf('/team/members')}>{t('project.members')}</Link>
        </dt>
        <dd>{counts.members}</dd>
      </div>
      <div>
        <dt>{t('homePage.stored', { count: counts.storedObjects })}</dt>
        <dd>
          <ByteSize value={counts.storedBytes} />
        </dd>
      </div>
    </dl>
  )
}
