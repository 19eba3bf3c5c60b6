import type { LocalText } from '../../../kernel/language.ts'
import type { CheckKind } from './rules.ts'

export interface RuleText {
  kind: CheckKind
  title: LocalText
  fix: LocalText
}

/** What each rule looks for, and what to do when it found something. */
export const ruleTexts = {
  signature: {
    kind: 'SECURITY',
    title: { zh: '签名可验证', en: 'The signature verifies', ru: 'Подпись проверяется' },
    fix: {
      zh: '在构建的最后一步使用只有您持有的密钥重新签名。',
      en: 'Sign the package as the last build step, with a key that only you hold.',
      ru: 'Подпишите пакет последним шагом сборки ключом, который есть только у вас.',
    },
  },
  signatureScheme: {
    kind: 'SECURITY',
    title: { zh: '使用 v2 或更高签名方案', en: 'Signature scheme v2 or later', ru: 'Схема подписи v2 или новее' },
    fix: {
      zh: '启用 v2 和 v3 签名；仅 v1 签名无法保护整个文件。',
      en: 'Enable v2 and v3 signing; v1 alone does not protect the whole file.',
      ru: 'Включите подпись v2 и v3: одна v1 не защищает файл целиком.',
    },
  },
  signingKey: {
    kind: 'SECURITY',
    title: {
      zh: '签名密钥强度与有效期',
      en: 'Strength and life of the signing key',
      ru: 'Стойкость и срок ключа подписи',
    },
    fix: {
      zh: '使用至少 2048 位的 RSA 或 256 位的 EC 密钥，证书有效期至少 25 年。',
      en: 'Use RSA with 2048 bits or EC with 256 at least, and a certificate that lives 25 years.',
      ru: 'Возьмите RSA не короче 2048 бит или EC от 256 и сертификат на 25 лет.',
    },
  },
  archive: {
    kind: 'SECURITY',
    title: { zh: '文件结构可信', en: 'The archive can be trusted', ru: 'Архиву можно доверять' },
    fix: {
      zh: '重新构建软件包，不要在签名后修改文件。',
      en: 'Build the package again, and change nothing after it was signed.',
      ru: 'Соберите пакет заново и ничего не меняйте после подписи.',
    },
  },
  debuggable: {
    kind: 'SECURITY',
    title: { zh: '不可调试', en: 'Not debuggable', ru: 'Отладка выключена' },
    fix: {
      zh: '构建发布版本（android:debuggable="false"）。',
      en: 'Build the release variant (android:debuggable="false").',
      ru: 'Соберите выпуск (android:debuggable="false").',
    },
  },
  exported: {
    kind: 'SECURITY',
    title: {
      zh: '导出组件受权限保护',
      en: 'Exported components are guarded',
      ru: 'Экспортируемые компоненты защищены',
    },
    fix: {
      zh: '对他人无需启动的组件设置 android:exported="false"，其余设置 android:permission。',
      en: 'Set android:exported="false" where nobody else starts a component, android:permission where somebody does.',
      ru: 'Поставьте android:exported="false", если компонент никто извне не запускает, иначе android:permission.',
    },
  },
  cleartext: {
    kind: 'SECURITY',
    title: { zh: '不使用明文传输', en: 'No cleartext traffic', ru: 'Нет открытого трафика' },
    fix: {
      zh: '设置 android:usesCleartextTraffic="false"，所有连接改用 https。',
      en: 'Set android:usesCleartextTraffic="false" and reach every host by https.',
      ru: 'Поставьте android:usesCleartextTraffic="false" и обращайтесь к узлам по https.',
    },
  },
  backup: {
    kind: 'SECURITY',
    title: { zh: '备份范围明确', en: 'Backups are decided', ru: 'Резервное копирование решено' },
    fix: {
      zh: '明确设置 android:allowBackup，并排除令牌与密钥。',
      en: 'Say android:allowBackup yourself, and keep tokens and keys out of backups.',
      ru: 'Задайте android:allowBackup явно и исключите токены и ключи из копий.',
    },
  },
  secrets: {
    kind: 'SECURITY',
    title: { zh: '软件包中没有密钥', en: 'No keys inside', ru: 'Внутри нет ключей' },
    fix: {
      zh: '立即更换所列密钥，并改由服务器保管；软件包任何人都能读取。',
      en: 'Replace the keys named here and keep them on a server; anybody can read a package.',
      ru: 'Замените названные ключи и храните их на сервере: пакет прочтёт любой.',
    },
  },
  hardening: {
    kind: 'SECURITY',
    title: { zh: '原生库已加固', en: 'Native libraries are hardened', ru: 'Библиотеки защищены при сборке' },
    fix: {
      zh: '以 -Wl,-z,relro -Wl,-z,noexecstack 链接。',
      en: 'Link with -Wl,-z,relro -Wl,-z,noexecstack.',
      ru: 'Компонуйте с -Wl,-z,relro -Wl,-z,noexecstack.',
    },
  },
  permissions: {
    kind: 'PRIVACY',
    title: { zh: '敏感权限', en: 'Sensitive permissions', ru: 'Чувствительные разрешения' },
    fix: {
      zh: '去掉功能不需要的权限，其余在使用该功能时申请。',
      en: 'Leave out what no feature needs, and ask for the rest when it is used.',
      ru: 'Уберите то, что не нужно функциям, остальное запрашивайте при использовании.',
    },
  },
  permissionsForTarget: {
    kind: 'PRIVACY',
    title: {
      zh: '权限符合目标 API 级别',
      en: 'Permissions fit the target API level',
      ru: 'Разрешения подходят целевому API',
    },
    fix: {
      zh: '改用该 API 级别的新权限，旧权限加 android:maxSdkVersion。',
      en: 'Use what the API level has instead, with android:maxSdkVersion on the old one.',
      ru: 'Возьмите новые разрешения этого API, у старых задайте android:maxSdkVersion.',
    },
  },
  trackers: {
    kind: 'PRIVACY',
    title: { zh: '统计与广告 SDK', en: 'Analytics and advertising SDKs', ru: 'SDK аналитики и рекламы' },
    fix: {
      zh: '在隐私政策中列出每个 SDK、其收集的数据与用途，并在同意之后再初始化。',
      en: 'Name each in the privacy policy with what it collects, and start it after the user agreed.',
      ru: 'Назовите каждый в политике конфиденциальности и запускайте после согласия.',
    },
  },
  privacyStatement: {
    kind: 'PRIVACY',
    title: { zh: '隐私政策可访问', en: 'The privacy policy can be read', ru: 'Политика конфиденциальности доступна' },
    fix: {
      zh: '在版本页面填写公开的 https 地址，该页面须直接显示政策全文。',
      en: 'Give the version a public https address that shows the policy itself.',
      ru: 'Укажите у версии открытый адрес https, где показан сам текст.',
    },
  },
  targetSdk: {
    kind: 'COMPAT',
    title: { zh: '目标 API 级别', en: 'Target API level', ru: 'Целевой уровень API' },
    fix: {
      zh: '将 targetSdkVersion 提高到商店要求的级别并重新测试。',
      en: 'Raise targetSdkVersion to what the store asks for, and test again.',
      ru: 'Поднимите targetSdkVersion до требуемого магазином и проверьте заново.',
    },
  },
  abi64: {
    kind: 'COMPAT',
    title: { zh: '支持 64 位', en: '64-bit', ru: '64 бита' },
    fix: {
      zh: '为每个 32 位库添加 64 位版本。',
      en: 'Add the 64-bit library beside each 32-bit one.',
      ru: 'Добавьте 64-битную библиотеку к каждой 32-битной.',
    },
  },
  pageSize: {
    kind: 'COMPAT',
    title: { zh: '原生库按 16 KB 对齐', en: 'Libraries aligned to 16 KB pages', ru: 'Выравнивание библиотек на 16 КБ' },
    fix: {
      zh: '使用 NDK r28 或更高版本，或以 -Wl,-z,max-page-size=16384 链接。',
      en: 'Build with NDK r28 or later, or link with -Wl,-z,max-page-size=16384.',
      ru: 'Соберите с NDK r28 или новее либо с -Wl,-z,max-page-size=16384.',
    },
  },
  exportedSaid: {
    kind: 'COMPAT',
    title: { zh: '可在 Android 12 安装', en: 'Installs on Android 12', ru: 'Ставится на Android 12' },
    fix: {
      zh: '为每个带 intent-filter 的组件写明 android:exported。',
      en: 'Say android:exported on every component with an intent filter.',
      ru: 'Укажите android:exported у каждого компонента с intent-filter.',
    },
  },
  installable: {
    kind: 'COMPAT',
    title: { zh: '可单独安装', en: 'Can be installed', ru: 'Можно установить' },
    fix: {
      zh: '上传完整的发布包或应用包（AAB）。',
      en: 'Upload the whole release package, or the bundle.',
      ru: 'Загрузите полный пакет выпуска или набор (AAB).',
    },
  },
  size: {
    kind: 'PERF',
    title: { zh: '软件包大小', en: 'Size of the package', ru: 'Размер пакета' },
    fix: {
      zh: '以应用包（AAB）发布、压缩资源、按需下载大文件。',
      en: 'Publish a bundle, compress resources, fetch large files when they are needed.',
      ru: 'Публикуйте AAB, сжимайте ресурсы, крупные файлы загружайте по мере надобности.',
    },
  },
  duplicates: {
    kind: 'PERF',
    title: { zh: '没有重复文件', en: 'No file twice', ru: 'Нет повторяющихся файлов' },
    fix: {
      zh: '每个文件只保留一份。',
      en: 'Keep one copy of each file.',
      ru: 'Оставьте по одной копии каждого файла.',
    },
  },
  icon: {
    kind: 'UX',
    title: { zh: '图标清晰', en: 'A clear icon', ru: 'Чёткий значок' },
    fix: {
      zh: '提供至少 144×144 像素的启动图标。',
      en: 'Add a launcher icon of 144 by 144 pixels or more.',
      ru: 'Добавьте значок не меньше 144×144 пикселей.',
    },
  },
  label: {
    kind: 'UX',
    title: { zh: '名称可读', en: 'A readable name', ru: 'Читаемое название' },
    fix: {
      zh: '设置 android:label，并为支持的语言提供翻译。',
      en: 'Set android:label, with a translation for each language you support.',
      ru: 'Задайте android:label с переводом на каждый язык.',
    },
  },
  battery: {
    kind: 'POWER',
    title: { zh: '耗电测试', en: 'Battery test', ru: 'Расход батареи' },
    fix: {
      zh: '需要真实设备；此处未连接设备，请在您的设备上测试。',
      en: 'This needs a device, and none is connected here; test it on your own.',
      ru: 'Нужно устройство, здесь ни одно не подключено; проверьте на своём.',
    },
  },
  crashes: {
    kind: 'STABILITY',
    title: { zh: '启动与崩溃测试', en: 'Start and crash test', ru: 'Запуск и сбои' },
    fix: {
      zh: '需要真实设备；此处未连接设备，请在您的设备上测试。',
      en: 'This needs a device, and none is connected here; test it on your own.',
      ru: 'Нужно устройство, здесь ни одно не подключено; проверьте на своём.',
    },
  },
} as const satisfies Record<string, RuleText>

export type RuleId = keyof typeof ruleTexts
export const ruleIds = Object.keys(ruleTexts) as RuleId[]
