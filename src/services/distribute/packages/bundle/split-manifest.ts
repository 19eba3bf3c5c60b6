import { fieldsOf, guarded, MessageFormatError } from '../readers/aab-messages.ts'
import { change, message, text, whole } from './message-writing.ts'

/** Numbers of fields in Android's Resources.proto, and of attributes in the framework's table. */
const ELEMENT = 1
const element = { namespace: 1, name: 3, attribute: 4, child: 5 } as const
const attribute = { namespace: 1, name: 2, value: 3, resourceId: 5, compiledItem: 6 } as const
const namespace = { prefix: 1, uri: 2 } as const
const PRIM = 7
const prim = { decimal: 6, flag: 8 } as const
const ANDROID = 'http://schemas.android.com/apk/res/android'
const ids = {
  hasCode: 0x0101000c,
  versionCode: 0x0101021b,
  versionCodeMajor: 0x01010576,
  isSplitRequired: 0x01010591,
} as const

/** The manifest of a base that devices refuse without its splits. Throws MessageFormatError where there is none. */
export function requiringSplits(manifest: Buffer): Buffer {
  return guarded('XmlNode', () => {
    let isThere = false
    const changed = change(manifest, ELEMENT, body => {
      isThere = true
      const has = [...fieldsOf(body)].some(one => one.id === element.attribute && one.body && isRequired(one.body))
      return has ? body : Buffer.concat([body, ofAndroid('isSplitRequired', 'true', prim.flag, 1)])
    })
    if (!isThere) throw new MessageFormatError('the document has no element')
    return changed
  })
}

/** The manifest of a split with native libraries: `split` is its name, `versionCode` a decimal of 64 bits. */
export function libraryManifest(packageName: string, versionCode: string, split: string): Buffer {
  const code = BigInt.asUintN(64, BigInt(versionCode))
  const [minor, major] = [Number(BigInt.asIntN(32, code)), Number(code >> 32n)]
  const application = Buffer.concat([text(element.name, 'application'), ofAndroid('hasCode', 'false', prim.flag, 0)])
  const body = Buffer.concat([
    message(element.namespace, Buffer.concat([text(namespace.prefix, 'android'), text(namespace.uri, ANDROID)])),
    text(element.name, 'manifest'),
    ofAndroid('versionCode', String(minor), prim.decimal, minor),
    ...(major === 0 ? [] : [ofAndroid('versionCodeMajor', String(major), prim.decimal, major)]),
    plain('package', packageName),
    plain('split', split),
    plain('configForSplit', ''),
    message(element.child, message(ELEMENT, application)),
  ])
  return Buffer.from(message(ELEMENT, body))
}

const isRequired = (body: Uint8Array) =>
  [...fieldsOf(body)].some(one => one.id === attribute.resourceId && one.number === ids.isSplitRequired)

function ofAndroid(name: keyof typeof ids, value: string, kind: number, compiled: number): Uint8Array {
  return message(
    element.attribute,
    Buffer.concat([
      text(attribute.namespace, ANDROID),
      text(attribute.name, name),
      text(attribute.value, value),
      whole(attribute.resourceId, ids[name]),
      message(attribute.compiledItem, message(PRIM, whole(kind, compiled))),
    ]),
  )
}

const plain = (name: string, value: string) =>
  message(element.attribute, Buffer.concat([text(attribute.name, name), text(attribute.value, value)]))
