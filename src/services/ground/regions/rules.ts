import type { LocalText } from '../../../kernel/language.ts'

/** Grows when the tables below change; it is a part of every answer and so of its ETag. */
export const tableVersion = 2

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** The eight regions of the specification, section 3, each with its ISO 3166 countries and areas. */
export const divisions = [
  {
    divisionId: 'china',
    name: { zh: '中国', en: 'China', ru: 'Китай' },
    countries: words('CN'),
  },
  {
    divisionId: 'europe',
    name: { zh: '欧洲', en: 'Europe', ru: 'Европа' },
    countries: words(`
      AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD
      ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK`),
  },
  {
    divisionId: 'africa',
    name: { zh: '非洲', en: 'Africa', ru: 'Африка' },
    countries: words(`
      AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ
      NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW`),
  },
  {
    divisionId: 'middleEast',
    name: { zh: '中东', en: 'Middle East', ru: 'Ближний Восток' },
    countries: words('AE BH IL IQ IR JO KW LB OM PS QA SA SY TR YE'),
  },
  {
    divisionId: 'northAmerica',
    name: { zh: '北美', en: 'North America', ru: 'Северная Америка' },
    countries: words('BM CA GL PM UM US'),
  },
  {
    divisionId: 'centralAsia',
    name: { zh: '中亚', en: 'Central Asia', ru: 'Центральная Азия' },
    countries: words('AF AM AZ GE KG KZ MN TJ TM UZ'),
  },
  {
    divisionId: 'asiaPacific',
    name: { zh: '亚太', en: 'Asia & Pacific', ru: 'Азиатско-Тихоокеанский регион' },
    countries: words(`
      AQ AS AU BD BN BT CC CK CX FJ FM GU HK HM ID IN IO JP KH KI KP KR LA LK MH MM MO MP MV MY NC NF NP NR NU
      NZ PF PG PH PK PN PW SB SG TF TH TK TL TO TV TW VN VU WF WS`),
  },
  {
    divisionId: 'latinAmerica',
    name: {
      zh: '拉丁美洲和加勒比',
      en: 'Latin America and the Caribbean',
      ru: 'Латинская Америка и Карибский бассейн',
    },
    countries: words(`
      AG AI AR AW BB BL BO BQ BR BS BV BZ CL CO CR CU CW DM DO EC FK GD GF GP GS GT GY HN HT JM KN KY LC MF MQ
      MS MX NI PA PE PR PY SR SV SX TC TT UY VC VE VG VI`),
  },
] as const

/** Every country and area, by code. */
export const countryCodes: readonly string[] = divisions.flatMap(one => one.countries).sort()
const known: ReadonlySet<string> = new Set(countryCodes)

/** Whether a code is one of the table. */
export function isCountryCode(code: string): boolean {
  return known.has(code)
}

export const contentRatings = ['HWAR', 'PEGI', 'USK', 'Russia', 'ESRB', 'ACB', 'GRAC', 'ClassInd', 'Generic'] as const
export type ContentRating = (typeof contentRatings)[number]

/** Who rates what is published where; a country that is in no line has the generic rating. */
const ratedBy: Readonly<Partial<Record<ContentRating, readonly string[]>>> = {
  HWAR: words('CN'),
  USK: words('DE'),
  Russia: words('RU'),
  ACB: words('AU'),
  GRAC: words('KR'),
  ClassInd: words('BR'),
  ESRB: words('BM CA MX PR UM US VI'),
  PEGI: words(`
    AD AL AT BA BE BG CH CY CZ DK EE ES FI FO FR GB GG GI GR HR HU IE IL IM IS IT JE LI LT LU LV MC MD ME MK MT
    NL NO PL PT RO RS SE SI SK SM UA VA XK`),
}

const ratings = new Map(
  Object.entries(ratedBy).flatMap(([rating, codes]) => codes.map(code => [code, rating as ContentRating] as const)),
)

/** The rating system of a country (specification, section 3). */
export function ratingOf(code: string): ContentRating {
  return ratings.get(code) ?? 'Generic'
}

/**
 * Numeric country ids. 42, 81, 1001 and 10200 are the specification's; the others are ours, 20000 and the ISO 3166
 * number. They never change and are never given again. Dependent areas have none.
 */
const numbered = words(`
  CN:42 TR:81 SG:1001 JP:10200 AF:20004 AL:20008 DZ:20012 AD:20020 AO:20024 AG:20028 AZ:20031 AR:20032 AU:20036
  AT:20040 BS:20044 BH:20048 BD:20050 AM:20051 BB:20052 BE:20056 BT:20064 BO:20068 BA:20070 BW:20072 BR:20076
  BZ:20084 SB:20090 BN:20096 BG:20100 MM:20104 BI:20108 BY:20112 KH:20116 CM:20120 CA:20124 CV:20132 CF:20140
  LK:20144 TD:20148 CL:20152 TW:20158 CO:20170 KM:20174 CG:20178 CD:20180 CR:20188 HR:20191 CU:20192 CY:20196
  CZ:20203 BJ:20204 DK:20208 DM:20212 DO:20214 EC:20218 SV:20222 GQ:20226 ET:20231 ER:20232 EE:20233 FJ:20242
  FI:20246 FR:20250 DJ:20262 GA:20266 GE:20268 GM:20270 PS:20275 DE:20276 GH:20288 KI:20296 GR:20300 GD:20308
  GT:20320 GN:20324 GY:20328 HT:20332 VA:20336 HN:20340 HK:20344 HU:20348 IS:20352 IN:20356 ID:20360 IR:20364
  IQ:20368 IE:20372 IL:20376 IT:20380 CI:20384 JM:20388 KZ:20398 JO:20400 KE:20404 KP:20408 KR:20410 KW:20414
  KG:20417 LA:20418 LB:20422 LS:20426 LV:20428 LR:20430 LY:20434 LI:20438 LT:20440 LU:20442 MO:20446 MG:20450
  MW:20454 MY:20458 MV:20462 ML:20466 MT:20470 MR:20478 MU:20480 MX:20484 MC:20492 MN:20496 MD:20498 ME:20499
  MA:20504 MZ:20508 OM:20512 NA:20516 NR:20520 NP:20524 NL:20528 VU:20548 NZ:20554 NI:20558 NE:20562 NG:20566
  NO:20578 FM:20583 MH:20584 PW:20585 PK:20586 PA:20591 PG:20598 PY:20600 PE:20604 PH:20608 PL:20616 PT:20620
  GW:20624 TL:20626 QA:20634 RO:20642 RU:20643 RW:20646 KN:20659 LC:20662 VC:20670 SM:20674 ST:20678 SA:20682
  SN:20686 RS:20688 SC:20690 SL:20694 SK:20703 VN:20704 SI:20705 SO:20706 ZA:20710 ZW:20716 ES:20724 SS:20728
  SD:20729 SR:20740 SZ:20748 SE:20752 CH:20756 SY:20760 TJ:20762 TH:20764 TG:20768 TO:20776 TT:20780 AE:20784
  TN:20788 TM:20795 TV:20798 UG:20800 UA:20804 MK:20807 EG:20818 GB:20826 TZ:20834 US:20840 BF:20854 UY:20858
  UZ:20860 VE:20862 WS:20882 YE:20887 ZM:20894`)

export const numericIds: ReadonlyMap<string, number> = new Map(
  numbered.map(pair => [pair.slice(0, 2), Number(pair.slice(3))] as const),
)

const byNumericId = new Map([...numericIds].map(([code, numericId]) => [numericId, code]))

/** The country of a numeric id. */
export function countryOfNumericId(numericId: number): string | undefined {
  return byNumericId.get(numericId)
}

/** Languages that things can be written in, by the specification's keys. */
export const languageKeys = [
  ...['zhCN', 'zhHK', 'zhTW', 'enUS', 'enGB', 'ruRU', 'ar', 'az', 'be', 'bg', 'bn', 'bo', 'bs', 'ca', 'cs', 'da'],
  ...['deDE', 'el', 'es', 'es419', 'et', 'eu', 'fa', 'fi', 'fil', 'fr', 'gl', 'gu', 'he', 'hi', 'hr', 'hu', 'id'],
  ...['it', 'ja', 'jv', 'ka', 'kk', 'km', 'kn', 'ko', 'lo', 'lt', 'lv', 'mai', 'mi', 'mk', 'ml', 'mn', 'mr', 'ms'],
  ...['my', 'nb', 'ne', 'nl', 'or', 'pa', 'pl', 'pt', 'ptBR', 'ro', 'si', 'sk', 'sl', 'sr', 'sv', 'sw', 'ta', 'te'],
  ...['th', 'tr', 'ug', 'uk', 'ur', 'uz', 'vi'],
] as const

/** `zhCN` as BCP 47, without a region that the language alone means. */
export function languageTag(key: string): string {
  const [, language = key, region] = /^([a-z]{2,3})([A-Z]{2}|\d{3})?$/.exec(key) ?? []
  if (key === 'zhCN') return 'zh-Hans'
  const isUsual = region !== undefined && new Intl.Locale(language).maximize().region === region
  const isKin = (other: string) => other === language || (other.startsWith(language) && /[A-Z\d]/.test(other))
  const hasOthers = languageKeys.some(other => other !== key && isKin(other))
  return region === undefined || (isUsual && !hasOthers) ? language : `${language}-${region}`
}

const locales = { zh: 'zh-Hans', en: 'en', ru: 'ru' } as const

function named(type: 'region' | 'language', code: string): LocalText {
  const nameIn = (locale: string) => {
    const name = new Intl.DisplayNames([locale], { type }).of(code) ?? code
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
  }
  return { zh: nameIn(locales.zh), en: nameIn(locales.en), ru: nameIn(locales.ru) }
}

/** A country's name in the console's three languages. */
export const countryName = (code: string) => named('region', code)

/** A language's name in the console's three languages. */
export const languageName = (key: string) => named('language', languageTag(key))
