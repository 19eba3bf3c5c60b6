export interface ReviewPolicy {
  policyId: string
  titles: { zh: string; en: string; ru: string }
}

/** What a rejection may name. Ids stay for ever: decisions of years ago refer to them. */
export const policies: readonly ReviewPolicy[] = [
  {
    policyId: '1.1',
    titles: {
      zh: '应用崩溃、无响应或无法安装',
      en: 'Crashes, hangs or cannot be installed',
      ru: 'Сбои, зависания или ошибка установки',
    },
  },
  {
    policyId: '1.2',
    titles: {
      zh: '功能不完整或为占位内容',
      en: 'Incomplete features or placeholder content',
      ru: 'Незавершённые функции или заглушки',
    },
  },
  {
    policyId: '1.3',
    titles: {
      zh: '测试账号无法登录',
      en: 'The test account does not sign in',
      ru: 'Тестовая учётная запись не входит в систему',
    },
  },
  {
    policyId: '2.1',
    titles: {
      zh: '名称、图标或描述与应用不符',
      en: 'Name, icon or description do not match the app',
      ru: 'Название, значок или описание не соответствуют приложению',
    },
  },
  {
    policyId: '2.2',
    titles: {
      zh: '截图不是应用的真实界面',
      en: 'Screenshots do not show the app',
      ru: 'Снимки экрана не показывают приложение',
    },
  },
  {
    policyId: '2.3',
    titles: {
      zh: '分类或年龄分级不正确',
      en: 'Wrong category or age rating',
      ru: 'Неверная категория или возрастной рейтинг',
    },
  },
  {
    policyId: '3.1',
    titles: {
      zh: '隐私政策缺失或与实际不符',
      en: 'Privacy policy is missing or does not match what the app does',
      ru: 'Политика конфиденциальности отсутствует или не соответствует действиям приложения',
    },
  },
  {
    policyId: '3.2',
    titles: {
      zh: '申请了与功能无关的权限',
      en: 'Asks for permissions its features do not need',
      ru: 'Запрашивает разрешения, не нужные для его функций',
    },
  },
  {
    policyId: '3.3',
    titles: {
      zh: '未经同意收集个人数据',
      en: 'Collects personal data without consent',
      ru: 'Собирает персональные данные без согласия',
    },
  },
  {
    policyId: '4.1',
    titles: {
      zh: '包含恶意代码或绕过系统安全',
      en: 'Malicious code, or works around the security of the system',
      ru: 'Вредоносный код или обход защиты системы',
    },
  },
  {
    policyId: '4.2',
    titles: {
      zh: '侵犯商标、版权或其他权利',
      en: 'Infringes a trademark, copyright or other right',
      ru: 'Нарушает товарный знак, авторское или иное право',
    },
  },
  {
    policyId: '4.3',
    titles: {
      zh: '含有违法、仇恨、暴力或色情内容',
      en: 'Illegal, hateful, violent or sexual content',
      ru: 'Незаконные материалы, вражда, насилие или порнография',
    },
  },
  {
    policyId: '5.1',
    titles: {
      zh: '付费、广告或订阅误导用户',
      en: 'Misleading payments, advertisements or subscriptions',
      ru: 'Вводящие в заблуждение платежи, реклама или подписки',
    },
  },
  {
    policyId: '9.9',
    titles: {
      zh: '其他问题（见说明）',
      en: 'Something else, as described',
      ru: 'Другое, как описано',
    },
  },
]

const byId = new Map(policies.map(policy => [policy.policyId, policy]))

export const policyOf = (policyId: string): ReviewPolicy | undefined => byId.get(policyId)
