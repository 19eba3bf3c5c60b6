import type { Cell, SheetFormat } from '../../../kernel/cells.ts'
import { isoInstant } from '../../../kernel/dates.ts'
import type { Language, LocalText } from '../../../kernel/language.ts'
import type { Context } from '../../../server/context.ts'
import type { Download } from '../../../server/implement.ts'
import { rowsOfPages, spreadsheet } from '../../../server/spreadsheet.ts'
import { projectOf, projectsOf } from '../../ground/projects/public.ts'
import { lineOf } from './kinds.ts'
import { type ListWish, listApps } from './list.ts'
import type { AppRecord } from './queries.ts'
import type { PackageType } from './rules.ts'

const pageSize = 1_000

const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: [
    ...['应用 ID', '名称', '包名', '类型', '类别', '项目 ID', '项目', '默认语言', '商店状态', '在架版本名'],
    ...['在架版本号', '创建时间（UTC）', '更新时间（UTC）'],
  ],
  en: [
    ...[
      'App id',
      'Name',
      'Package name',
      'Type',
      'Category',
      'Project id',
      'Project',
      'Default language',
      'In the store',
    ],
    ...['Version on shelf', 'Version code on shelf', 'Created (UTC)', 'Changed (UTC)'],
  ],
  ru: [
    ...['ID приложения', 'Название', 'Имя пакета', 'Тип', 'Категория', 'ID проекта', 'Проект', 'Основной язык'],
    ...['В магазине', 'Версия в магазине', 'Код версии в магазине', 'Создано (UTC)', 'Изменено (UTC)'],
  ],
}

const types: Readonly<Record<PackageType, LocalText>> = {
  ANDROID: { zh: 'Android 应用', en: 'Android', ru: 'Android' },
  HARMONY: { zh: 'HarmonyOS 应用', en: 'HarmonyOS', ru: 'HarmonyOS' },
  ATOMIC_SERVICE: { zh: '元服务', en: 'Atomic service', ru: 'Атомарный сервис' },
  QUICK_APP: { zh: '快应用', en: 'Quick app', ru: 'Быстрое' },
  H5_QUICK: { zh: 'H5 快应用', en: 'H5 quick app', ru: 'Быстрое H5' },
  WEB: { zh: 'Web 应用', en: 'Web app', ru: 'Веб' },
  PC_EXE: { zh: 'PC 程序', en: 'PC program', ru: 'Для ПК' },
  NO_PACKAGE: { zh: '无软件包', en: 'Without package', ru: 'Без пакета' },
}

const stands = {
  frozen: { zh: '已冻结', en: 'Frozen', ru: 'Заблокировано' },
  onShelf: { zh: '已上架', en: 'On the shelf', ru: 'В магазине' },
  offShelf: { zh: '已下架', en: 'Off the shelf', ru: 'Снято' },
  never: { zh: '尚未上架', en: 'Not published yet', ru: 'Не опубликовано' },
} as const satisfies Record<string, LocalText>

type Wish = ListWish & { format: SheetFormat; language?: Language }

/** The apps of a list as a file. Each page is read in a transaction of its own, with the projects of its apps at once. */
export async function exportApps(ctx: Context, { format, language, ...wish }: Wish): Promise<Download> {
  const spoken = language ?? ctx.place.language
  if (wish.projectId !== undefined) await projectOf(ctx, wish.projectId)
  const read = (cursor: string | undefined) =>
    ctx.transact(async inner => {
      const page = await listApps(inner, { ...wish, pageSize, ...(cursor !== undefined && { cursor }) })
      const projects = await projectsOf(inner, [...new Set(page.list.map(app => app.projectId))])
      const names = new Map(projects.map(one => [one.projectId, one.name]))
      return { ...page, list: page.list.map(app => rowOf(app, names.get(app.projectId) ?? null, spoken)) }
    })
  return spreadsheet(format, {
    fileName: `apps-${isoInstant(ctx.now()).slice(0, 10)}`,
    columns: columns[spoken],
    rows: rowsOfPages(read, row => row),
  })
}

function rowOf(app: AppRecord, project: string | null, language: Language): Cell[] {
  const kind = app.kindMainTag === null ? undefined : lineOf(app.kindMainTag)
  return [
    app.appId,
    app.name,
    app.packageName,
    types[app.packageType as PackageType][language],
    kind?.map(one => one[language]).join(' / ') ?? null,
    app.projectId,
    project,
    app.defaultLang,
    stands[standOf(app)][language],
    app.shelf?.versionName ?? null,
    app.shelf?.versionCode ?? null,
    isoInstant(app.createdAt),
    isoInstant(app.updatedAt),
  ]
}

function standOf(app: AppRecord): keyof typeof stands {
  if (app.state === 'FROZEN') return 'frozen'
  if (app.shelf) return 'onShelf'
  return app.lastShelf ? 'offShelf' : 'never'
}
