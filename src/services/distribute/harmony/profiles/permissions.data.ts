import type { LocalText } from '../../../../kernel/language.ts'

/** Permissions of HarmonyOS that its users cannot be asked for unless the profile names them. */
export const restrictedPermissions: readonly { permission: string; words: LocalText }[] = [
  {
    permission: 'ohos.permission.SYSTEM_FLOAT_WINDOW',
    words: { zh: '使用全局悬浮窗', en: 'A window above all others', ru: 'Окно поверх всех остальных' },
  },
  {
    permission: 'ohos.permission.READ_CONTACTS',
    words: { zh: '读取联系人', en: 'Read contacts', ru: 'Чтение контактов' },
  },
  {
    permission: 'ohos.permission.WRITE_CONTACTS',
    words: { zh: '添加、移除和更改联系人', en: 'Change contacts', ru: 'Изменение контактов' },
  },
  {
    permission: 'ohos.permission.READ_AUDIO',
    words: { zh: '读取公共目录的音频', en: 'Read shared sound files', ru: 'Чтение общих звуковых файлов' },
  },
  {
    permission: 'ohos.permission.WRITE_AUDIO',
    words: { zh: '修改公共目录的音频', en: 'Change shared sound files', ru: 'Изменение общих звуковых файлов' },
  },
  {
    permission: 'ohos.permission.READ_IMAGEVIDEO',
    words: { zh: '读取公共目录的图片和视频', en: 'Read shared pictures and films', ru: 'Чтение общих снимков и видео' },
  },
  {
    permission: 'ohos.permission.WRITE_IMAGEVIDEO',
    words: {
      zh: '修改公共目录的图片和视频',
      en: 'Change shared pictures and films',
      ru: 'Изменение общих снимков и видео',
    },
  },
  {
    permission: 'ohos.permission.SHORT_TERM_WRITE_IMAGEVIDEO',
    words: {
      zh: '短时间内保存图片和视频到图库',
      en: 'Save pictures and films for a short time after consent',
      ru: 'Сохранение снимков и видео на короткое время',
    },
  },
  {
    permission: 'ohos.permission.READ_PASTEBOARD',
    words: { zh: '读取剪贴板', en: 'Read the clipboard', ru: 'Чтение буфера обмена' },
  },
  {
    permission: 'ohos.permission.ACCESS_DDK_USB',
    words: { zh: '扩展外设驱动访问 USB', en: 'Drivers for USB devices', ru: 'Драйверы USB-устройств' },
  },
  {
    permission: 'ohos.permission.ACCESS_DDK_HID',
    words: { zh: '扩展外设驱动访问 HID', en: 'Drivers for input devices', ru: 'Драйверы устройств ввода' },
  },
  {
    permission: 'ohos.permission.FILE_ACCESS_PERSIST',
    words: {
      zh: '持久化访问文件 URI',
      en: 'Lasting access to chosen files',
      ru: 'Постоянный доступ к выбранным файлам',
    },
  },
]
