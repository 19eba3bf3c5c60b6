import type { PolicyWords } from '../tables.home.ts'

export interface FirstPolicy {
  policyId: string
  titles: PolicyWords
  texts: PolicyWords
}

/** Version 1 of what a rejection may name. Ids stay for ever: decisions of years ago refer to them. */
export const firstPolicies: readonly FirstPolicy[] = [
  {
    policyId: '1.1',
    titles: {
      zh: '应用崩溃、无响应或无法安装',
      en: 'Crashes, hangs or cannot be installed',
      ru: 'Сбои, зависания или ошибка установки',
    },
    texts: {
      zh: '应用须能在所支持的设备上安装、启动并使用其主要功能，不崩溃、不卡死。请在提交前于所列设备类型与系统版本上测试。',
      en: 'The app installs, starts and offers its main features on every device type it names, without a crash or a hang. Test on those devices and API levels before you hand it in.',
      ru: 'Приложение устанавливается, запускается и выполняет основные функции на всех указанных типах устройств без сбоев и зависаний. Проверьте его на этих устройствах до отправки.',
    },
  },
  {
    policyId: '1.2',
    titles: {
      zh: '功能不完整或为占位内容',
      en: 'Incomplete features or placeholder content',
      ru: 'Незавершённые функции или заглушки',
    },
    texts: {
      zh: '提交的版本须为成品：不得有“敬请期待”的页面、占位文字、失效按钮或测试数据。',
      en: 'What is handed in is finished: no screens that are coming soon, no placeholder text, no dead buttons, no test data.',
      ru: 'Отправляется готовая версия: без экранов «скоро будет», текста-заглушек, неработающих кнопок и тестовых данных.',
    },
  },
  {
    policyId: '1.3',
    titles: {
      zh: '测试账号无法登录',
      en: 'The test account does not sign in',
      ru: 'Тестовая учётная запись не входит в систему',
    },
    texts: {
      zh: '若应用需要登录，请提供可用且权限完整的测试账号；账号在审核期间须保持有效。',
      en: 'Where the app needs a sign-in, the test account works, reaches every feature and stays valid during the review.',
      ru: 'Если приложению нужен вход, тестовая учётная запись работает, открывает все функции и действует до конца проверки.',
    },
  },
  {
    policyId: '2.1',
    titles: {
      zh: '名称、图标或描述与应用不符',
      en: 'Name, icon or description do not match the app',
      ru: 'Название, значок или описание не соответствуют приложению',
    },
    texts: {
      zh: '名称、图标与描述须说明应用的真实功能，不得冒用他人名称，不得堆砌关键词或夸大宣传。',
      en: 'Name, icon and description say what the app does. They do not pose as somebody else, pile up keywords or promise what it cannot do.',
      ru: 'Название, значок и описание говорят о том, что приложение делает, не выдают его за чужое, не нагромождают ключевые слова и не обещают лишнего.',
    },
  },
  {
    policyId: '2.2',
    titles: {
      zh: '截图不是应用的真实界面',
      en: 'Screenshots do not show the app',
      ru: 'Снимки экрана не показывают приложение',
    },
    texts: {
      zh: '截图须取自该应用并反映当前版本；可加标注，但不得掩盖或替代真实界面。',
      en: 'Screenshots are of this app and this version. Captions may explain them, not cover or replace what people will see.',
      ru: 'Снимки экрана сделаны в этом приложении и этой версии. Подписи поясняют, а не скрывают и не заменяют интерфейс.',
    },
  },
  {
    policyId: '2.3',
    titles: {
      zh: '分类或年龄分级不正确',
      en: 'Wrong category or age rating',
      ru: 'Неверная категория или возрастной рейтинг',
    },
    texts: {
      zh: '分类须与主要功能一致；年龄分级问卷须按应用的实际内容如实填写，包括用户生成的内容。',
      en: 'The category is that of the main feature, and the age questionnaire is answered by what the app shows, what its users post included.',
      ru: 'Категория соответствует основной функции, а ответы для возрастного рейтинга — содержанию, включая публикации пользователей.',
    },
  },
  {
    policyId: '3.1',
    titles: {
      zh: '隐私政策缺失或与实际不符',
      en: 'Privacy policy is missing or does not match what the app does',
      ru: 'Политика конфиденциальности отсутствует или не соответствует действиям приложения',
    },
    texts: {
      zh: '须提供可公开访问的隐私政策，说明收集哪些数据、用途、共享对象以及删除方式，并与应用实际行为一致。',
      en: 'A privacy policy that anybody can open says which data is collected, what for, who gets it and how it is deleted, and it matches what the app does.',
      ru: 'Открытая для всех политика конфиденциальности говорит, какие данные собираются, зачем, кому передаются и как удаляются, и соответствует поведению приложения.',
    },
  },
  {
    policyId: '3.2',
    titles: {
      zh: '申请了与功能无关的权限',
      en: 'Asks for permissions its features do not need',
      ru: 'Запрашивает разрешения, не нужные для его функций',
    },
    texts: {
      zh: '仅申请功能所需的权限，并在使用该功能时申请；拒绝可选权限后应用仍须可用。',
      en: 'Only permissions that a feature needs are asked for, when that feature is used; refusing an optional one leaves the app usable.',
      ru: 'Запрашиваются только нужные функции разрешения и в момент её использования; отказ от необязательного не мешает работе.',
    },
  },
  {
    policyId: '3.3',
    titles: {
      zh: '未经同意收集个人数据',
      en: 'Collects personal data without consent',
      ru: 'Собирает персональные данные без согласия',
    },
    texts: {
      zh: '收集个人数据前须取得明示同意，用户可随时撤回；不得以捆绑或默认勾选方式取得同意。',
      en: 'Before personal data is collected the user agrees to it, knowingly and freely, and can take that back at any time.',
      ru: 'До сбора персональных данных пользователь осознанно и свободно соглашается и может отозвать согласие в любой момент.',
    },
  },
  {
    policyId: '4.1',
    titles: {
      zh: '包含恶意代码或绕过系统安全',
      en: 'Malicious code, or works around the security of the system',
      ru: 'Вредоносный код или обход защиты системы',
    },
    texts: {
      zh: '不得含有恶意代码，不得下载并执行审核时不存在的代码，不得绕过系统权限或干扰其他应用。',
      en: 'No malicious code; nothing that fetches and runs code the review did not see, works around permissions or disturbs other apps.',
      ru: 'Нет вредоносного кода, загрузки и запуска кода, которого не было при проверке, обхода разрешений и помех другим приложениям.',
    },
  },
  {
    policyId: '4.2',
    titles: {
      zh: '侵犯商标、版权或其他权利',
      en: 'Infringes a trademark, copyright or other right',
      ru: 'Нарушает товарный знак, авторское или иное право',
    },
    texts: {
      zh: '须拥有或获许使用名称、图标、图片、音乐与代码；收到权利人通知后须及时处理。',
      en: 'You own, or may use, name, icon, pictures, music and code. A notice of the owner of a right is answered in time.',
      ru: 'Вы владеете названием, значком, изображениями, музыкой и кодом или вправе их использовать и вовремя отвечаете правообладателям.',
    },
  },
  {
    policyId: '4.3',
    titles: {
      zh: '含有违法、仇恨、暴力或色情内容',
      en: 'Illegal, hateful, violent or sexual content',
      ru: 'Незаконные материалы, вражда, насилие или порнография',
    },
    texts: {
      zh: '不得含有所分发国家或地区法律禁止的内容，不得宣扬仇恨、暴力、自残，不得含有色情内容。',
      en: 'Nothing that is illegal where the app is distributed, nothing that promotes hatred, violence or self-harm, nothing pornographic.',
      ru: 'Нет запрещённого по закону там, где приложение распространяется, нет призывов к вражде, насилию, самоповреждению и порнографии.',
    },
  },
  {
    policyId: '5.1',
    titles: {
      zh: '付费、广告或订阅误导用户',
      en: 'Misleading payments, advertisements or subscriptions',
      ru: 'Вводящие в заблуждение платежи, реклама или подписки',
    },
    texts: {
      zh: '价格、试用期、续费与取消方式须在付款前清楚显示；广告须可识别、可关闭。',
      en: 'Price, trial, renewal and how to cancel are clear before people pay. An advertisement looks like one and can be closed.',
      ru: 'Цена, пробный период, продление и отмена ясны до оплаты. Реклама выглядит рекламой и закрывается.',
    },
  },
  {
    policyId: '9.9',
    titles: { zh: '其他问题（见说明）', en: 'Something else, as described', ru: 'Другое, как описано' },
    texts: {
      zh: '其他条款未涵盖的问题；审核员会具体说明问题所在以及如何修改。',
      en: 'What no other rule names. The reviewer says what is wrong and how to put it right.',
      ru: 'То, чего нет в других правилах. Рецензент говорит, что не так и как это исправить.',
    },
  },
]
