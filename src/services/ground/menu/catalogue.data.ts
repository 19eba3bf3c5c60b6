import type { ZoneId } from '../../../kernel/zones.ts'
import type { Category } from './rules.ts'

export interface LocalText {
  zh: string
  en: string
  ru: string
}

/** One service of the console as people find it. */
export interface CatalogueEntry {
  /** Kept by favourites, usage and switches: it never changes. */
  serviceId: string
  category: Category
  /** The page, as its service registers it; title, permission and place in the menu are the page's own. */
  path: string
  title: LocalText
  may: string | null
  order: number
  text: LocalText
  /** Other words people look for. */
  keywords: string
  /** Where it is offered; left out, everywhere. */
  zones?: readonly ZoneId[]
}

/** Every page of the developers' side menu. `src/services/all.console.test.ts` holds it to what the pages say of themselves. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    serviceId: 'projects',
    category: 'ground',
    path: '/projects',
    title: { zh: '项目', en: 'Projects', ru: 'Проекты' },
    may: 'projects.read',
    order: 10,
    text: {
      zh: '把应用、文件和服务放在一起，并决定数据存放在哪里。',
      en: 'Keep apps, files and services together, and decide where their data stays.',
      ru: 'Приложения, файлы и сервисы вместе; здесь решается, где хранятся данные.',
    },
    keywords: 'region zone data location 区域 регион',
  },
  {
    serviceId: 'team',
    category: 'ground',
    path: '/team',
    title: { zh: '团队', en: 'Team', ru: 'Команда' },
    may: null,
    order: 30,
    text: {
      zh: '团队的名称、国家或地区和负责人。',
      en: 'The name, the country and the leader of your team.',
      ru: 'Название, страна и руководитель команды.',
    },
    keywords: 'organisation leader 负责人 организация',
  },
  {
    serviceId: 'members',
    category: 'ground',
    path: '/team/members',
    title: { zh: '成员', en: 'Members', ru: 'Участники' },
    may: 'teams.read',
    order: 31,
    text: {
      zh: '邀请成员，分配角色，暂停或移除。',
      en: 'Invite people, give them roles, suspend or remove them.',
      ru: 'Приглашайте людей, назначайте роли, приостанавливайте и удаляйте.',
    },
    keywords: 'people users invite 邀请 пригласить',
  },
  {
    serviceId: 'roles',
    category: 'ground',
    path: '/team/roles',
    title: { zh: '角色与权限', en: 'Roles', ru: 'Роли' },
    may: 'teams.read',
    order: 32,
    text: {
      zh: '每个角色可以做什么。',
      en: 'What each role may do.',
      ru: 'Что разрешает каждая роль.',
    },
    keywords: 'permissions rights 权限 права доступ',
  },
  {
    serviceId: 'invitations',
    category: 'ground',
    path: '/team/invitations',
    title: { zh: '邀请', en: 'Invitations', ru: 'Приглашения' },
    may: 'teams.members',
    order: 33,
    text: {
      zh: '谁被邀请加入团队，谁已接受。',
      en: 'Who is invited to the team, and who has accepted.',
      ru: 'Кто приглашён в команду и кто принял приглашение.',
    },
    keywords: 'join link 加入 链接 вступить',
  },
  {
    serviceId: 'service-providers',
    category: 'ground',
    path: '/team/providers',
    title: { zh: '服务商', en: 'Service providers', ru: 'Поставщики услуг' },
    may: 'teams.read',
    order: 34,
    text: {
      zh: '为本团队服务的团队，以及本团队所服务的团队。',
      en: 'Teams that work for yours, and teams that yours works for.',
      ru: 'Команды, которые работают на вашу, и на которые работает ваша.',
    },
    keywords: 'agency partner 合作 партнёр',
  },
  {
    serviceId: 'files',
    category: 'ground',
    path: '/files',
    title: { zh: '文件', en: 'Files', ru: 'Файлы' },
    may: 'files.read',
    order: 20,
    text: {
      zh: '查看、上传、下载和检查团队保存的文件。',
      en: 'See, upload, download and check what your team keeps.',
      ru: 'Просмотр, загрузка, скачивание и проверка файлов команды.',
    },
    keywords: 'upload download storage objects 上传 下载 对象 загрузка хранилище',
  },
  {
    serviceId: 'webhooks',
    category: 'ground',
    path: '/webhooks',
    title: { zh: 'Webhook', en: 'Webhooks', ru: 'Вебхуки' },
    may: 'webhooks.read',
    order: 40,
    text: {
      zh: '事件发生时通知您的服务器。',
      en: 'Tell your servers when something happens.',
      ru: 'Сообщать вашим серверам о событиях.',
    },
    keywords: 'events callback http 事件 回调 события',
  },
  {
    serviceId: 'agreements',
    category: 'ground',
    path: '/team/agreements',
    title: { zh: '团队协议', en: 'Agreements of the team', ru: 'Соглашения команды' },
    may: 'agreements.read',
    order: 55,
    text: {
      zh: '签署商店协议，并提交团队自己的协议。',
      en: 'Sign what the store asks for, and hand in agreements of your own.',
      ru: 'Подписать соглашения магазина и подать свои.',
    },
    keywords: 'contract sign terms privacy policy 签署 条款 隐私 подпись условия',
  },
  {
    serviceId: 'api-clients',
    category: 'ground',
    path: '/api-clients',
    title: { zh: 'API 客户端', en: 'API clients', ru: 'API-клиенты' },
    may: 'apiClients.read',
    order: 42,
    text: {
      zh: '让程序以团队名义访问：密钥、令牌、授权与调试凭据。',
      en: 'Let programs in: secrets, keys, tokens, grants and debug credentials.',
      ru: 'Доступ для программ: секреты, ключи, токены, права и отладка.',
    },
    keywords: 'oauth token secret jwt credentials 令牌 密钥 凭据 токен секрет ключ доступ',
  },
  {
    serviceId: 'services',
    category: 'ground',
    path: '/services',
    title: { zh: '服务目录', en: 'Services', ru: 'Сервисы' },
    may: null,
    order: 80,
    text: {
      zh: '查找所有服务，收藏常用的并排序。',
      en: 'Find every service; star the ones you use and put them in order.',
      ru: 'Все сервисы: отмечайте нужные и располагайте по порядку.',
    },
    keywords: 'catalogue favourites 收藏 избранное каталог',
  },
  {
    serviceId: 'announcements',
    category: 'ground',
    path: '/announcements',
    title: { zh: '公告', en: 'Announcements', ru: 'Объявления' },
    may: null,
    order: 85,
    text: {
      zh: '新功能、维护和其他消息。',
      en: 'New features, maintenance and other news.',
      ru: 'Новые функции, обслуживание и другие новости.',
    },
    keywords: 'news maintenance 消息 维护 новости',
  },
  {
    serviceId: 'api-reference',
    category: 'ground',
    path: '/api-reference',
    title: { zh: 'API 参考', en: 'API reference', ru: 'Справочник API' },
    may: null,
    order: 90,
    text: {
      zh: '每个调用的参数、返回和错误，可以直接试用。',
      en: 'Parameters, answers and refusals of every call, to read and to try.',
      ru: 'Параметры, ответы и отказы каждого вызова — почитать и попробовать.',
    },
    keywords: 'openapi rest curl 接口 интерфейс',
  },
  {
    serviceId: 'named-apis',
    category: 'ground',
    path: '/named-apis',
    title: { zh: 'API 名录', en: 'Named APIs', ru: 'Именованные API' },
    may: null,
    order: 92,
    text: {
      zh: '按名称调用接口，并当场试用。',
      en: 'Make calls by their name, and try them at once.',
      ru: 'Выполняйте вызовы по имени и сразу пробуйте их.',
    },
    keywords: 'generic gateway gwService apiName 网关 шлюз',
  },
  {
    serviceId: 'apps',
    category: 'distribute',
    path: '/apps',
    title: { zh: '我的应用', en: 'Apps', ru: 'Приложения' },
    may: 'apps.read',
    order: 10,
    text: {
      zh: '应用、版本、软件包和上架。',
      en: 'Apps, versions, packages and releases.',
      ru: 'Приложения, версии, пакеты и выпуски.',
    },
    keywords: 'release version package shelf 版本 上架 выпуск версия',
  },
  {
    serviceId: 'group-repositories',
    category: 'distribute',
    path: '/repositories',
    title: { zh: '专属软件源', en: 'Group repositories', ru: 'Репозитории групп' },
    may: 'store.read',
    order: 40,
    text: {
      zh: '为测试人员或设备分组提供的 F-Droid 软件源。',
      en: 'F-Droid repositories for groups of testers or devices.',
      ru: 'Репозитории F-Droid для групп тестировщиков или устройств.',
    },
    keywords: 'fdroid testers qr 测试 软件源 тестировщики',
  },
  {
    serviceId: 'test-users',
    category: 'ground',
    path: '/team/test-users',
    title: { zh: '测试用户', en: 'Test users', ru: 'Тестировщики' },
    may: 'teams.testUsers',
    order: 35,
    text: {
      zh: '在上架前试用应用的人。',
      en: 'People who try your apps before everybody else.',
      ru: 'Люди, которые пробуют приложения раньше всех.',
    },
    keywords: 'tester beta 测试 тест',
  },
  {
    serviceId: 'apps-elsewhere',
    category: 'distribute',
    path: '/apps/elsewhere',
    title: { zh: '站外应用', en: 'Apps elsewhere', ru: 'Вне магазина' },
    may: 'apps.read',
    order: 50,
    text: {
      zh: '在其他地方发布的应用。',
      en: 'Apps that are published somewhere else.',
      ru: 'Приложения, опубликованные в другом месте.',
    },
    keywords: 'other store 其他商店 другой магазин',
  },
  {
    serviceId: 'package-names',
    category: 'distribute',
    path: '/claims',
    title: { zh: '包名认领', en: 'Package names', ru: 'Имена пакетов' },
    may: 'packages.read',
    order: 40,
    text: {
      zh: '证明一个包名属于您。',
      en: 'Prove that a package name is yours.',
      ru: 'Докажите, что имя пакета ваше.',
    },
    keywords: 'claim owner 认领 владелец',
  },
  {
    serviceId: 'app-moves',
    category: 'distribute',
    path: '/moves',
    title: { zh: '应用转移', en: 'App moves', ru: 'Передача приложений' },
    may: 'apps.read',
    order: 42,
    text: {
      zh: '将应用转移给其他团队或接收应用。',
      en: 'Hand apps over to another team, or take some over.',
      ru: 'Передайте приложения другой команде или примите их.',
    },
    keywords: 'transfer handover owner 转让 移交 передать владелец',
  },
  {
    serviceId: 'app-series',
    category: 'distribute',
    path: '/series',
    title: { zh: '应用系列', en: 'App series', ru: 'Серии приложений' },
    may: 'series.read',
    order: 44,
    text: {
      zh: '把同一产品的各版本应用归到一起。',
      en: 'Put the editions of one product together.',
      ru: 'Соберите издания одного продукта вместе.',
    },
    keywords: 'edition double single framework 双框架 单框架 издание',
  },
  {
    serviceId: 'device-models',
    category: 'distribute',
    path: '/phones',
    title: { zh: '设备机型', en: 'Device models', ru: 'Модели устройств' },
    may: 'packages.read',
    order: 45,
    text: {
      zh: '软件包可安装的机型。',
      en: 'The models that packages are held against.',
      ru: 'Модели, с которыми сверяются пакеты.',
    },
    keywords: 'phone tablet 手机 平板 телефон планшет',
  },
  {
    serviceId: 'actions-on-many',
    category: 'distribute',
    path: '/bulk',
    title: { zh: '批量操作', en: 'Actions on many', ru: 'Массовые действия' },
    may: 'versions.read',
    order: 30,
    text: {
      zh: '一次对许多应用或版本进行操作，并查看进度。',
      en: 'Do one thing to many apps or versions and watch it happen.',
      ru: 'Одно действие для многих приложений или версий, с ходом выполнения.',
    },
    keywords: 'bulk batch 批量 пакетно',
  },
  {
    serviceId: 'submissions',
    category: 'distribute',
    path: '/submissions',
    title: { zh: '提交记录', en: 'Submissions', ru: 'На проверке' },
    may: 'versions.read',
    order: 20,
    text: {
      zh: '提交审核的内容和审核消息。',
      en: 'What you handed in for review, and what reviewers say.',
      ru: 'Что отправлено на проверку и что отвечают рецензенты.',
    },
    keywords: 'review queue 审核 рецензия',
  },
  {
    serviceId: 'tag-sets',
    category: 'ground',
    path: '/tag-sets',
    title: { zh: '标签集', en: 'Tag sets', ru: 'Наборы меток' },
    may: 'menu.read',
    order: 82,
    text: {
      zh: '团队用来归类的标签及其颜色。',
      en: 'Tags in colours that your team sorts things by.',
      ru: 'Цветные метки, по которым команда раскладывает свои вещи.',
    },
    keywords: 'label colour 标签 метка цвет',
  },
  {
    serviceId: 'features',
    category: 'ground',
    path: '/features',
    title: { zh: '功能与分组', en: 'Features and groups', ru: 'Функции и группы' },
    may: null,
    order: 83,
    text: {
      zh: '查看新功能是否已对您的团队开放。',
      en: 'See whether a new feature is on for your team.',
      ru: 'Узнайте, включена ли новая функция для вашей команды.',
    },
    keywords: 'rollout switch flag grey 灰度 开关 переключатель',
  },
  {
    serviceId: 'support-applications',
    category: 'support',
    path: '/support',
    title: { zh: '申请支持', en: 'Ask for support', ru: 'Заявки в поддержку' },
    may: 'menu.read',
    order: 10,
    text: {
      zh: '就某项服务寻求帮助，并查看答复。',
      en: 'Ask for help with a service, and read the answer.',
      ru: 'Попросите помощи с сервисом и прочтите ответ.',
    },
    keywords: 'help question ticket 帮助 工单 помощь вопрос',
  },
  {
    serviceId: 'support-contacts',
    category: 'support',
    path: '/support/contacts',
    title: { zh: '支持联系人', en: 'Support contacts', ru: 'Контакты для поддержки' },
    may: 'support.contact',
    order: 20,
    text: {
      zh: '应用市场联系团队的邮箱，均经验证码验证。',
      en: 'Addresses at which the store reaches your team, each proven by a code.',
      ru: 'Адреса, по которым магазин связывается с командой, подтверждённые кодом.',
    },
    keywords: 'contact mail verify code 联系人 邮箱 验证码 почта код',
  },
  {
    serviceId: 'team-use',
    category: 'analyse',
    path: '/team/console-use',
    title: { zh: '团队使用情况', en: 'How the team works here', ru: 'Как работает команда' },
    may: 'collect.read',
    order: 10,
    text: {
      zh: '团队打开了哪些页面、点击了哪些按钮，按区域统计。',
      en: 'Which pages your team opens and which buttons it presses, zone by zone.',
      ru: 'Какие страницы открывает команда и какие кнопки нажимает, по зонам.',
    },
    keywords: 'analytics statistics usage 统计 分析 статистика',
  },
]
