import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { OutsideLink } from '../../../../console/kit/OutsideLink.tsx'
import type { DefView, TaskView } from './qualification-calls.ts'
import { dayText, paperName } from './qualification-words.ts'

interface PaperListProps {
  infos: TaskView['qualificationInfos']
  defs: readonly DefView[]
}

/** Papers with their files and how long each counts. */
export function PaperList({ infos, defs }: PaperListProps) {
  const { t } = useTranslation('distribute/qualification')
  if (infos.length === 0) return <div className="lg-soft">{t('papers.none')}</div>
  return (
    <ul className="qual-papers">
      {infos.map(info => (
        <li key={info.qualificationCode}>
          <div>
            {paperName(defs, info.qualificationCode)}
            <div className="lg-soft">
              {info.startTime !== null && info.expireTime !== null
                ? t('papers.fromTo', { from: dayText(info.startTime), to: dayText(info.expireTime) })
                : t('papers.ever')}
            </div>
          </div>
          <ul translate="no">
            {info.files.map(file => (
              <li key={file.objectId}>
                {file.url === null ? file.fileName : <OutsideLink href={file.url}>{file.fileName}</OutsideLink>}{' '}
                <span className="lg-soft">
                  <ByteSize value={file.fileSize} />
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
