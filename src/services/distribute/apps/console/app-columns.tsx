import type { TFunction } from 'i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { When } from '../../../../console/kit/When.tsx'
import { AppName } from './AppName.tsx'
import type { AppView } from './app-calls.ts'
import { toneOfVersion, versionText } from './app-words.ts'

/** The columns of every list of apps; `projects` names the project where more than one is in the list. */
export function appColumns(
  t: TFunction,
  pictures: ReadonlyMap<string, string>,
  projects?: ReadonlyMap<string, string>,
): TableColumn<AppView>[] {
  const project: TableColumn<AppView> = {
    id: 'project',
    header: t('app.project'),
    width: 140,
    cell: app => projects?.get(app.projectId) ?? '–',
  }
  return [
    {
      id: 'name',
      header: t('app.name'),
      isName: true,
      sortBy: 'name',
      minWidth: 240,
      cell: app => <AppName app={app} picture={app.iconObjectId ? pictures.get(app.iconObjectId) : undefined} />,
    },
    { id: 'type', header: t('app.type'), width: 140, cell: app => t(`types.${app.packageType}`) },
    {
      id: 'shelf',
      header: t('app.onShelf'),
      width: 190,
      cell: app =>
        app.lifecycle === 'FROZEN' ? (
          <StatusBadge tone="bad" text={t('app.frozen')} />
        ) : app.shelf ? (
          <StatusBadge tone="good" text={versionText(app.shelf)} />
        ) : (
          <StatusBadge tone="off" text={app.everOnShelf ? t('app.offShelf') : t('app.neverOnShelf')} />
        ),
    },
    {
      id: 'open',
      header: t('app.openVersion'),
      width: 180,
      cell: app =>
        app.openVersionState === null ? (
          '–'
        ) : (
          <StatusBadge tone={toneOfVersion(app.openVersionState)} text={t(`versionStates.${app.openVersionState}`)} />
        ),
    },
    ...(projects ? [project] : []),
    {
      id: 'updated',
      header: t('app.updated'),
      sortBy: 'updated',
      width: 150,
      cell: app => <When at={app.updatedAt} show="relative" />,
    },
  ]
}
