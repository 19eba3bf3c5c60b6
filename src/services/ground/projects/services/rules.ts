import type { ZoneId } from '../../../../kernel/zones.ts'

interface Words {
  zh: string
  en: string
  ru: string
}

/** One setting of a service that a project may choose. */
export type SettingRule =
  | { kind: 'number'; min: number; max: number; usual: number }
  | { kind: 'flag'; usual: boolean }
  | { kind: 'word'; words: readonly string[]; usual: string }

export interface CatalogueService {
  serviceId: string
  category: 'build' | 'grow' | 'analyse' | 'operate'
  name: Words
  /** Zones it is not offered in. */
  notIn: readonly ZoneId[]
  /** Services that must be on first. */
  needs: readonly string[]
  agreements: readonly AgreementId[]
  settings: Readonly<Record<string, SettingRule>>
}

/** What must be agreed to, by project; a new version asks again. */
export const agreementCatalogue = [
  {
    agreementId: 'service-terms',
    version: 1,
    name: { zh: '云服务使用条款', en: 'Terms of the cloud services', ru: 'Условия облачных сервисов' },
  },
  {
    agreementId: 'data-processing',
    version: 1,
    name: { zh: '数据处理协议', en: 'Data processing agreement', ru: 'Соглашение об обработке данных' },
  },
] as const
export type AgreementId = (typeof agreementCatalogue)[number]['agreementId']

const terms: readonly AgreementId[] = ['service-terms']
const personal: readonly AgreementId[] = ['service-terms', 'data-processing']
const number = (min: number, max: number, usual: number): SettingRule => ({ kind: 'number', min, max, usual })
const flag = (usual: boolean): SettingRule => ({ kind: 'flag', usual })
const offered = (
  serviceId: string,
  category: CatalogueService['category'],
  name: Words,
  more: Partial<Pick<CatalogueService, 'notIn' | 'needs' | 'agreements' | 'settings'>> = {},
): CatalogueService => ({ serviceId, category, name, notIn: [], needs: [], agreements: terms, settings: {}, ...more })

/** The services a project can have, in the order of the menu. */
export const serviceCatalogue: readonly CatalogueService[] = [
  offered(
    'app-auth',
    'build',
    { zh: '认证服务', en: 'App sign-in', ru: 'Вход в приложение' },
    { agreements: personal, settings: { sessionDays: number(1, 365, 30), anonymous: flag(false) } },
  ),
  offered(
    'functions',
    'build',
    { zh: '云函数', en: 'Cloud functions', ru: 'Облачные функции' },
    { settings: { timeoutSeconds: number(1, 300, 30), memoryMb: number(128, 2048, 256) } },
  ),
  offered(
    'storage',
    'build',
    { zh: '云存储', en: 'Cloud storage', ru: 'Облачное хранилище' },
    { settings: { quotaMb: number(100, 1_000_000, 5_000), versioning: flag(false) } },
  ),
  offered(
    'cloud-db',
    'build',
    { zh: '云数据库', en: 'Cloud database', ru: 'Облачная база данных' },
    { agreements: personal, needs: ['app-auth'], settings: { quotaMb: number(10, 100_000, 1_000) } },
  ),
  offered(
    'api-gateway',
    'build',
    { zh: 'API 网关', en: 'API gateway', ru: 'Шлюз API' },
    { needs: ['functions'], settings: { callsPerMinute: number(1, 1_000_000, 6_000) } },
  ),
  offered('containers', 'build', { zh: '容器', en: 'Containers', ru: 'Контейнеры' }, { notIn: ['IR'] }),
  offered(
    'remote-config',
    'grow',
    { zh: '远程配置', en: 'Remote config', ru: 'Удалённая настройка' },
    { settings: { fetchIntervalMinutes: number(1, 1_440, 720) } },
  ),
  offered(
    'experiments',
    'grow',
    { zh: 'A/B 测试', en: 'Experiments', ru: 'Эксперименты' },
    { needs: ['remote-config', 'analytics'] },
  ),
  offered(
    'messaging',
    'grow',
    { zh: '消息推送', en: 'Messages', ru: 'Сообщения' },
    { agreements: personal, settings: { quietHours: flag(true) } },
  ),
  offered('links', 'grow', { zh: '动态链接', en: 'Links', ru: 'Ссылки' }),
  offered(
    'location',
    'grow',
    { zh: '位置服务', en: 'Location', ru: 'Местоположение' },
    { agreements: personal, notIn: ['RU', 'IR'] },
  ),
  offered(
    'analytics',
    'analyse',
    { zh: '分析服务', en: 'Analytics', ru: 'Аналитика' },
    {
      agreements: personal,
      settings: {
        retentionDays: number(7, 730, 180),
        currency: { kind: 'word', words: ['CNY', 'EUR', 'RUB', 'USD'], usual: 'USD' },
      },
    },
  ),
  offered('alarms', 'operate', { zh: '告警', en: 'Alarms', ru: 'Оповещения' }),
  offered(
    'logs',
    'operate',
    { zh: '日志', en: 'Logs', ru: 'Журналы' },
    { settings: { retentionDays: number(1, 90, 14) } },
  ),
]

export function serviceNamed(serviceId: string): CatalogueService | undefined {
  return serviceCatalogue.find(one => one.serviceId === serviceId)
}

/** What stands in the way of a service, the first thing first; null where nothing does. */
export function obstacleOf(
  service: CatalogueService,
  project: { zone: ZoneId; enabled: ReadonlySet<string>; signed: ReadonlySet<string> },
): { kind: 'zone' | 'agreement' | 'service'; missing: readonly string[] } | null {
  if (service.notIn.includes(project.zone)) return { kind: 'zone', missing: [project.zone] }
  const unsigned = service.agreements.filter(one => !project.signed.has(one))
  if (unsigned.length > 0) return { kind: 'agreement', missing: unsigned }
  const off = service.needs.filter(one => !project.enabled.has(one))
  return off.length > 0 ? { kind: 'service', missing: off } : null
}

/** Services that would stand without what they need if this one ended. */
export function dependentsOf(serviceId: string, enabled: ReadonlySet<string>): string[] {
  return serviceCatalogue
    .filter(one => one.needs.includes(serviceId) && enabled.has(one.serviceId))
    .map(one => one.serviceId)
}

export type Settings = Record<string, string | number | boolean>

/** The settings of a service: what was chosen, the usual value for the rest. */
export function settingsOf(service: CatalogueService, chosen: Readonly<Settings>): Settings {
  return Object.fromEntries(Object.entries(service.settings).map(([name, rule]) => [name, chosen[name] ?? rule.usual]))
}

/** What is wrong with a setting, or null. */
export function settingProblem(
  service: CatalogueService,
  name: string,
  value: string | number | boolean,
): string | null {
  const rule = service.settings[name]
  if (!rule)
    return `is no setting of ${service.serviceId}; it has ${Object.keys(service.settings).join(', ') || 'none'}`
  if (rule.kind === 'flag') return typeof value === 'boolean' ? null : 'must be true or false'
  if (rule.kind === 'word') {
    return typeof value === 'string' && rule.words.includes(value) ? null : `must be one of ${rule.words.join(', ')}`
  }
  const isIn = typeof value === 'number' && Number.isInteger(value) && value >= rule.min && value <= rule.max
  return isIn ? null : `must be a whole number from ${rule.min} to ${rule.max}`
}
