import type { QualDef, Requirement } from './rules.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const china = ['CN']
const russia = ['RU']
/** The European Economic Area. */
const europe = words('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK')

type Row = readonly [code: string, zh: string, en: string, ru: string, ends?: 'ends']
const defs = (countries: readonly string[], rows: readonly Row[]): QualDef[] =>
  rows.map(([qualificationCode, zh, en, ru, ends]) => ({
    qualificationCode,
    name: { zh, en, ru },
    fileTypes: ['IMAGE', 'PDF'],
    maxFiles: 10,
    needsValidity: ends === 'ends',
    countries,
  }))

/** The papers an operator asks for. Whoever runs a store elsewhere edits these two tables, and nothing else. */
export const qualificationDefs: readonly QualDef[] = [
  ...defs(china, [
    ['BUSINESS_LICENCE', '营业执照', 'Business licence', 'Свидетельство о регистрации предприятия'],
    ['FINANCIAL_LICENCE', '金融许可证', 'Financial licence', 'Финансовая лицензия'],
    ['PAYMENT_LICENCE', '支付业务许可证', 'Payment licence', 'Лицензия на платёжные услуги', 'ends'],
    ['SECURITIES_LICENCE', '经营证券期货业务许可证', 'Securities and futures licence', 'Лицензия на ценные бумаги'],
    ['FUND_LICENCE', '基金销售业务资格证书', 'Fund sales certificate', 'Свидетельство на продажу паёв фондов'],
    [
      'NEWS_SERVICE_PERMIT',
      '互联网新闻信息服务许可证',
      'News service permit',
      'Разрешение на новостной сервис',
      'ends',
    ],
    [
      'AV_PERMIT',
      '信息网络传播视听节目许可证',
      'Audio-visual programme permit',
      'Разрешение на вещание аудио и видео',
      'ends',
    ],
    [
      'NETWORK_CULTURE_LICENCE',
      '网络文化经营许可证',
      'Network culture licence',
      'Лицензия на сетевую культуру',
      'ends',
    ],
    [
      'VALUE_ADDED_TELECOM',
      '增值电信业务经营许可证',
      'Value-added telecom licence',
      'Лицензия на дополнительные услуги связи',
      'ends',
    ],
    ['ONLINE_PUBLISHING', '网络出版服务许可证', 'Online publishing permit', 'Разрешение на сетевые издания', 'ends'],
    ['GAME_PUBLICATION_NUMBER', '网络游戏出版批文', 'Approval of a game for publication', 'Разрешение на издание игры'],
    [
      'SOFTWARE_COPYRIGHT',
      '计算机软件著作权登记证书',
      'Software copyright certificate',
      'Свидетельство об авторском праве',
    ],
    ['COPYRIGHT_DISCLAIMER', '版权承诺书', 'Copyright statement', 'Заявление об авторском праве'],
    ['SCHOOL_PERMIT', '办学许可证', 'School permit', 'Разрешение на обучение', 'ends'],
    [
      'MEDICAL_INSTITUTION',
      '医疗机构执业许可证',
      'Medical institution licence',
      'Лицензия медицинского учреждения',
      'ends',
    ],
    [
      'DRUG_INFO_PERMIT',
      '互联网药品信息服务资格证书',
      'Drug information certificate',
      'Свидетельство на сведения о лекарствах',
      'ends',
    ],
    ['RIDE_HAILING_PERMIT', '网络预约出租汽车经营许可证', 'Ride-hailing permit', 'Разрешение на заказ такси', 'ends'],
  ]),
  ...defs(europe, [
    [
      'CREDIT_INSTITUTION_EU',
      '信贷机构授权（欧盟）',
      'Authorisation as a credit institution (EU)',
      'Разрешение кредитной организации (ЕС)',
    ],
    [
      'PAYMENT_INSTITUTION_EU',
      '支付机构授权（欧盟）',
      'Authorisation as a payment institution (EU)',
      'Разрешение платёжной организации (ЕС)',
    ],
    [
      'E_MONEY_EU',
      '电子货币机构授权（欧盟）',
      'Authorisation as an e-money institution (EU)',
      'Разрешение на электронные деньги (ЕС)',
    ],
    [
      'INVESTMENT_FIRM_EU',
      '投资公司授权（欧盟）',
      'Authorisation as an investment firm (EU)',
      'Разрешение инвестиционной фирмы (ЕС)',
    ],
    [
      'MEDICAL_DEVICE_EU',
      '医疗器械 CE 证书',
      'CE certificate of a medical device',
      'Сертификат CE на медицинское изделие',
      'ends',
    ],
    [
      'MEDICAL_DISCLAIMER_EU',
      '非医疗器械声明',
      'Statement that the app is no medical device',
      'Заявление, что это не медицинское изделие',
    ],
  ]),
  ...defs(russia, [
    ['BANK_LICENCE_RU', '俄罗斯银行许可证', 'Banking licence (Russia)', 'Лицензия Банка России'],
    ['MEDICAL_LICENCE_RU', '俄罗斯医疗许可证', 'Medical licence (Russia)', 'Медицинская лицензия'],
  ]),
]

export const requirements: readonly Requirement[] = [
  { kindId: 10601, countries: china, sets: [['FINANCIAL_LICENCE']] },
  { kindId: 10602, countries: china, sets: [['PAYMENT_LICENCE']] },
  { kindId: 10603, countries: china, sets: [['BUSINESS_LICENCE'], ['SECURITIES_LICENCE', 'FUND_LICENCE']] },
  { kindId: 10401, countries: china, sets: [['NEWS_SERVICE_PERMIT']] },
  {
    kindId: 10301,
    countries: china,
    sets: [['AV_PERMIT', 'NETWORK_CULTURE_LICENCE'], ['VALUE_ADDED_TELECOM']],
  },
  { kindId: 10303, countries: china, sets: [['NETWORK_CULTURE_LICENCE'], ['VALUE_ADDED_TELECOM']] },
  { kindId: 10402, countries: china, sets: [['ONLINE_PUBLISHING']] },
  { kindId: 10403, countries: china, sets: [['ONLINE_PUBLISHING']] },
  { kindId: 10203, countries: china, sets: [['VALUE_ADDED_TELECOM']] },
  { kindId: 10502, countries: china, sets: [['SCHOOL_PERMIT']] },
  { kindId: 10701, countries: china, sets: [['VALUE_ADDED_TELECOM']] },
  { kindId: 10802, countries: china, sets: [['RIDE_HAILING_PERMIT']] },
  { kindId: 10902, countries: china, sets: [['MEDICAL_INSTITUTION', 'DRUG_INFO_PERMIT']] },
  {
    kindId: 2,
    countries: china,
    sets: [['GAME_PUBLICATION_NUMBER'], ['SOFTWARE_COPYRIGHT', 'COPYRIGHT_DISCLAIMER']],
  },
  { kindId: 10601, countries: europe, sets: [['CREDIT_INSTITUTION_EU']] },
  { kindId: 10602, countries: europe, sets: [['PAYMENT_INSTITUTION_EU', 'E_MONEY_EU', 'CREDIT_INSTITUTION_EU']] },
  { kindId: 10603, countries: europe, sets: [['INVESTMENT_FIRM_EU', 'CREDIT_INSTITUTION_EU']] },
  { kindId: 10902, countries: europe, sets: [['MEDICAL_DEVICE_EU', 'MEDICAL_DISCLAIMER_EU']] },
  { kindId: 10601, countries: russia, sets: [['BANK_LICENCE_RU']] },
  { kindId: 10602, countries: russia, sets: [['BANK_LICENCE_RU']] },
  { kindId: 10902, countries: russia, sets: [['MEDICAL_LICENCE_RU']] },
]
