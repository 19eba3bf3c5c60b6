import type { KeptAttribute } from '../tables.ts'

const system = (name: string, type: KeptAttribute['type'], description: string): KeptAttribute => ({
  ...{ name, type, source: 'SYSTEM', description },
})

/** What every client says of itself. */
export const systemAttributes: readonly KeptAttribute[] = [
  system('targetingKey', 'STRING', 'The installation, or the key that the app gives'),
  system('app.id', 'STRING', 'The app, as its token says'),
  system('app.version', 'VERSION', 'The version name of the app'),
  system('app.build', 'NUMBER', 'The version code of the app'),
  system('app.firstOpenAt', 'TIME', 'When the app was first opened'),
  system('device.country', 'STRING', 'Country or region, two letters'),
  system('device.language', 'STRING', 'Language of the device'),
  system('device.os', 'STRING', 'Operating system'),
  system('device.osVersion', 'VERSION', 'Version of the operating system'),
  system('device.model', 'STRING', 'Model of the device'),
  system('user.id', 'STRING', 'The signed-in user, as the token says'),
]
