import type { WordLanguage, WordTopic } from '../rules.ts'

/** What a store does not want to read, to begin with; staff turn words off and add their own. */
export const firstWords: readonly (readonly [
  language: WordLanguage,
  topic: WordTopic,
  level: 'BLOCK' | 'WARN',
  words: string,
])[] = [
  ['zh', 'banned', 'BLOCK', '赌博 博彩 代开发票 毒品 枪支 色情 裸聊 办证 刷单 传销 外挂'],
  ['zh', 'superlative', 'WARN', '最好 最佳 第一 国家级 顶级 全网首发 独一无二 绝对 百分之百 史上最强'],
  ['zh', 'price', 'WARN', '免费 限时 特价 打折 优惠 仅售 立减 红包'],
  ['zh', 'ranking', 'WARN', '排行榜第一 下载量第一 好评如潮 五星好评 编辑推荐'],
  ['zh', 'medical', 'WARN', '根治 治愈 包治 无副作用 祖传秘方'],
  [
    'en',
    'banned',
    'BLOCK',
    'casino|online betting|buy followers|fake id|escort service|cocaine|heroin|child porn|cheat engine',
  ],
  ['en', 'superlative', 'WARN', '#1|number one|best app|best ever|world’s best|top rated|guaranteed|unbeatable'],
  ['en', 'price', 'WARN', 'free|on sale|limited time|cheapest|half price|no cost'],
  ['en', 'ranking', 'WARN', 'app of the year|million downloads|five stars|editor’s choice|rate us'],
  ['en', 'medical', 'WARN', 'cures cancer|miracle cure|no side effects|lose weight fast'],
  [
    'ru',
    'banned',
    'BLOCK',
    'казино|ставки на спорт|купить подписчиков|наркотики|порно|поддельные документы|оружие без лицензии',
  ],
  ['ru', 'superlative', 'WARN', 'самый лучший|лучшее приложение|номер один|№1|непревзойдённый|гарантированно'],
  ['ru', 'price', 'WARN', 'бесплатно|скидка|распродажа|дешевле всех|акция|без оплаты'],
  ['ru', 'ranking', 'WARN', 'приложение года|миллион скачиваний|пять звёзд|выбор редакции|оцените нас'],
  ['ru', 'medical', 'WARN', 'полное излечение|без побочных эффектов|чудо-средство'],
]
