/** Grows when the table below changes. */
export const scenariosVersion = 1

interface Scenario {
  scenarioId: string
  name: { zh: string; en: string; ru: string }
}

const scenario = (scenarioId: string, zh: string, en: string, ru: string): Scenario => ({
  scenarioId,
  name: { zh, en, ru },
})

const messaging = scenario(
  'default-messaging',
  '默认短信应用',
  'The default messaging app',
  'Приложение СМС по умолчанию',
)
const dialer = scenario('default-dialer', '默认电话应用', 'The default phone app', 'Приложение «Телефон» по умолчанию')
const backup = scenario(
  'backup',
  '备份与恢复用户数据',
  'Back up and restore what people own',
  'Резервное копирование данных',
)
const antivirus = scenario('antivirus', '查杀病毒与恶意软件', 'Find malicious software', 'Поиск вредоносных программ')
const fileManager = scenario(
  'file-manager',
  '管理设备上的文件',
  'Manage the files of a device',
  'Управление файлами устройства',
)
const navigation = scenario('navigation', '后台导航', 'Navigation that goes on in the background', 'Навигация в фоне')
const safety = scenario(
  'personal-safety',
  '人身安全与紧急求助',
  'Personal safety and calls for help',
  'Личная безопасность',
)
const family = scenario('family', '家长守护', 'Parents who look after a child', 'Родительский контроль')
const fitness = scenario('fitness', '运动与健康记录', 'Records of sport and health', 'Спорт и здоровье')
const device = scenario('device-search', '查找丢失的设备', 'Find a lost device', 'Поиск потерянного устройства')
const contacts = scenario('contact-management', '管理联系人', 'Manage contacts', 'Управление контактами')
const chat = scenario('social', '即时通信与社交', 'Chat and social networks', 'Общение и соцсети')
const gallery = scenario(
  'gallery',
  '管理与编辑照片和视频',
  'Manage and edit photos and videos',
  'Управление фото и видео',
)
const player = scenario('media-player', '播放本地音频', 'Play the music of a device', 'Воспроизведение музыки')
const launcher = scenario('launcher', '桌面启动器', 'A launcher', 'Лаунчер')
const store = scenario('app-store', '应用商店', 'A store of apps', 'Магазин приложений')
const enterprise = scenario('enterprise', '企业设备管理', 'Devices managed by a company', 'Корпоративные устройства')
const access = scenario(
  'accessibility',
  '帮助残障人士使用设备',
  'Help people with disabilities',
  'Помощь людям с ограничениями',
)
const overlay = scenario('floating-call', '通话或会议悬浮窗', 'A floating window for calls', 'Плавающее окно звонка')
const lyrics = scenario('floating-lyrics', '桌面歌词', 'Lyrics over other apps', 'Текст песен поверх окон')
const clipboard = scenario('clipboard-sync', '跨设备剪贴板', 'One clipboard for several devices', 'Общий буфер обмена')
const driver = scenario('usb-driver', 'USB 外设驱动', 'Drivers of USB devices', 'Драйверы USB-устройств')

/** What restricted permissions of Android and HarmonyOS may be asked for. */
export const sensitivePermissions: readonly { permission: string; scenarios: Scenario[] }[] = [
  { permission: 'android.permission.READ_SMS', scenarios: [messaging, backup, family] },
  { permission: 'android.permission.SEND_SMS', scenarios: [messaging, safety] },
  { permission: 'android.permission.RECEIVE_SMS', scenarios: [messaging, backup] },
  { permission: 'android.permission.READ_CALL_LOG', scenarios: [dialer, backup] },
  { permission: 'android.permission.WRITE_CALL_LOG', scenarios: [dialer, backup] },
  { permission: 'android.permission.READ_CONTACTS', scenarios: [contacts, chat, dialer, backup] },
  { permission: 'android.permission.WRITE_CONTACTS', scenarios: [contacts, backup] },
  {
    permission: 'android.permission.ACCESS_BACKGROUND_LOCATION',
    scenarios: [navigation, safety, family, fitness, device],
  },
  { permission: 'android.permission.MANAGE_EXTERNAL_STORAGE', scenarios: [fileManager, backup, antivirus] },
  { permission: 'android.permission.QUERY_ALL_PACKAGES', scenarios: [launcher, antivirus, store, enterprise] },
  { permission: 'android.permission.REQUEST_INSTALL_PACKAGES', scenarios: [store, fileManager, enterprise] },
  { permission: 'android.permission.SYSTEM_ALERT_WINDOW', scenarios: [overlay, lyrics, access] },
  { permission: 'android.permission.BIND_ACCESSIBILITY_SERVICE', scenarios: [access] },
  { permission: 'android.permission.BODY_SENSORS', scenarios: [fitness] },
  { permission: 'android.permission.READ_MEDIA_IMAGES', scenarios: [gallery, backup, chat] },
  { permission: 'android.permission.READ_MEDIA_VIDEO', scenarios: [gallery, backup, chat] },
  { permission: 'ohos.permission.READ_CONTACTS', scenarios: [contacts, chat, backup] },
  { permission: 'ohos.permission.WRITE_CONTACTS', scenarios: [contacts, backup] },
  { permission: 'ohos.permission.READ_IMAGEVIDEO', scenarios: [gallery, backup, chat] },
  { permission: 'ohos.permission.WRITE_IMAGEVIDEO', scenarios: [gallery, backup] },
  { permission: 'ohos.permission.READ_AUDIO', scenarios: [player, backup] },
  { permission: 'ohos.permission.WRITE_AUDIO', scenarios: [player, backup] },
  { permission: 'ohos.permission.READ_PASTEBOARD', scenarios: [clipboard, access] },
  { permission: 'ohos.permission.SYSTEM_FLOAT_WINDOW', scenarios: [overlay, lyrics] },
  { permission: 'ohos.permission.ACCESS_DDK_USB', scenarios: [driver] },
  { permission: 'ohos.permission.LOCATION_IN_BACKGROUND', scenarios: [navigation, safety, family, fitness] },
]
