import { useTranslation } from 'react-i18next'
import type { MoveView } from './move-calls.ts'

/** What keeps apps from going, and what to do about it. */
export function BlockList({ list }: { list: MoveView['blocks'] }) {
  const { t } = useTranslation('distribute/apps')
  return (
    <ul className="apps-blocks">
      {list.flatMap(({ appId, name, blocks }) =>
        blocks.map(block => (
          <li key={`${appId} ${block}`}>
            <strong translate="no">{name}</strong>: {t(`moves.blocks.${block}`)}
          </li>
        )),
      )}
    </ul>
  )
}
