import type { LocalText } from '../../../../../console/language.ts'
import type { SwitchName } from '../../../../../kernel/switches.ts'

/** What each named switch does. Apart from the texts of the service, which every page loads for its banners. */
export const switchWords: Readonly<Record<SwitchName, LocalText>> = {
  osSwitch1: {
    zh: '开启时可以新建 Android 应用；已有应用不受影响。',
    en: 'On: new apps for Android can be made. Apps that are there go on in any case.',
    ru: 'Включён: можно создавать приложения для Android. Существующие работают в любом случае.',
  },
  osSwitch2: {
    zh: '开启时可以新建 HarmonyOS 应用和元服务；已有的不受影响。',
    en: 'On: new apps and atomic services for HarmonyOS can be made. Those that are there go on in any case.',
    ru: 'Включён: можно создавать приложения и атомарные сервисы для HarmonyOS. Существующие работают в любом случае.',
  },
  osSwitch3: {
    zh: '开启时可以新建快应用和网页应用；已有的不受影响。',
    en: 'On: new quick apps and web apps can be made. Those that are there go on in any case.',
    ru: 'Включён: можно создавать быстрые и веб-приложения. Существующие работают в любом случае.',
  },
  osSwitch4: {
    zh: '开启时可以新建 PC 程序；已有的不受影响。',
    en: 'On: new programs for PCs can be made. Those that are there go on in any case.',
    ru: 'Включён: можно создавать программы для ПК. Существующие работают в любом случае.',
  },
  unrealNameSwitch: {
    zh: '开启时，未实名认证的人员也可以提交版本；关闭后仅实名认证通过的人员可以提交。',
    en: 'On: people whose real name was not verified can submit versions. Off: only verified people can.',
    ru: 'Включён: версии отправляют и те, чья личность не подтверждена. Выключен: только подтверждённые.',
  },
  chinaSideSwitch: {
    zh: '开启时可以在中国新建项目或将项目迁入；已有项目不受影响。',
    en: 'On: projects can be created in China and moved there. Those that are there go on in any case.',
    ru: 'Включён: проекты можно создавать в Китае и переносить туда. Существующие работают в любом случае.',
  },
  googleAnalyticsSwitch: {
    zh: '开启时，同意分析的人员的页面会加载 LOGGIA_ANALYTICS_SCRIPT 指定的脚本。',
    en: 'On: pages of people who agreed to analytics load the script named in LOGGIA_ANALYTICS_SCRIPT.',
    ru: 'Включён: страницы тех, кто согласился на аналитику, загружают скрипт из LOGGIA_ANALYTICS_SCRIPT.',
  },
  useAgcLoginSwitch: {
    zh: '开启时，控制台账号可用密码或通行密钥登录；关闭后只能用登录提供方。工作人员账号始终可以登录，以免无人能进入。',
    en: 'On: accounts of this console sign in with password or passkey. Off: only sign-in providers. Accounts of staff always sign in, so that nobody is locked out.',
    ru: 'Включён: учётные записи консоли входят с паролем или ключом доступа. Выключен: только через провайдеров. Сотрудники входят всегда, чтобы доступ не был потерян.',
  },
  h5UseAgcLoginSwitch: {
    zh: '与 useAgcLoginSwitch 相同，适用于嵌入页面和宽度小于 600 像素的页面。工作人员账号始终可以登录。',
    en: 'As useAgcLoginSwitch, on pages embedded in others and on those narrower than 600 pixels. Accounts of staff always sign in.',
    ru: 'Как useAgcLoginSwitch, для встроенных страниц и страниц уже 600 пикселей. Сотрудники входят всегда.',
  },
  storageSwitch: {
    zh: '开启时，云存储在所选区域使用新版接口。',
    en: 'On: cloud storage uses its newer calls, in the zones chosen.',
    ru: 'Включён: облачное хранилище использует новые вызовы в выбранных зонах.',
  },
}
