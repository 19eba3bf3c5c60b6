import { type BizTag, bizTagRules } from '../rules.ts'
import type { Verdict } from './rules.ts'

const images: readonly BizTag[] = ['app_img', 'comment_img']

/** What is looked at in a file, in this order. `appliesTo` null is every tag. */
export const checkItems = [
  {
    itemId: 'digest',
    appliesTo: null,
    name: { zh: '完整性', en: 'Whole', ru: 'Целостность' },
    text: {
      zh: '存储的字节与上传时的 SHA-256 一致',
      en: 'The stored bytes still have the sha256 they came with',
      ru: 'Сохранённые байты имеют тот же sha256, с которым пришли',
    },
  },
  {
    itemId: 'kind',
    appliesTo: null,
    name: { zh: '类型', en: 'Kind', ru: 'Тип' },
    text: {
      zh: '内容与文件名后缀及用途一致',
      en: 'The content is of the kind that the name and the purpose say',
      ru: 'Содержимое соответствует имени и назначению файла',
    },
  },
  {
    itemId: 'image',
    appliesTo: images,
    name: { zh: '图片', en: 'Picture', ru: 'Изображение' },
    text: {
      zh: '图片可完整解码、非动图、像素不超限，且不含拍摄地点',
      en: 'The picture decodes to its end, stands still, is not too large and does not tell where it was taken',
      ru: 'Изображение читается до конца, не анимировано, не слишком велико и не содержит места съёмки',
    },
  },
  {
    itemId: 'video',
    appliesTo: ['app_video'] as readonly BizTag[],
    name: { zh: '视频', en: 'Video', ru: 'Видео' },
    text: {
      zh: '文件含有可识别的视频轨，时长和尺寸已知',
      en: 'The file has a video track whose length and size are known',
      ru: 'В файле есть видеодорожка известной длины и размера',
    },
  },
  {
    itemId: 'malware',
    appliesTo: null,
    name: { zh: '恶意代码', en: 'Malware', ru: 'Вредоносный код' },
    text: {
      zh: '不含标准测试特征（EICAR）',
      en: 'The standard test signature (EICAR) is not in it',
      ru: 'В файле нет стандартной тестовой сигнатуры (EICAR)',
    },
  },
] as const
export type CheckItemId = (typeof checkItems)[number]['itemId']

/** The items that apply to a tag. */
export function itemsFor(bizTag: BizTag): CheckItemId[] {
  return checkItems.filter(item => item.appliesTo === null || item.appliesTo.includes(bizTag)).map(item => item.itemId)
}

/** Endings of names that say the same as a kind found in the bytes; a kind that is not here says nothing of names. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/apng': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
  'application/x-msdownload': ['exe', 'dll'],
  'application/x-elf': ['so', 'bin'],
}

/** What a found kind means for a file of this name and tag. Null: nothing is known of the content. */
export function judgeKind(
  found: string | null,
  extension: string,
  bizTag: BizTag,
): { verdict: Verdict; message: string } {
  const { mimes } = bizTagRules[bizTag]
  const kind = found ?? 'unknown'
  if (mimes && !mimes.includes(kind)) return { verdict: 'REJECT', message: `is ${kind}; taken are ${mimes.join(', ')}` }
  const names = endings[kind]
  const isNamed = names === undefined || extension === 'bin' || names.includes(extension)
  return isNamed
    ? { verdict: 'PASS', message: `is ${kind}` }
    : { verdict: 'RISK', message: `is ${kind} under a name that ends with .${extension}` }
}
