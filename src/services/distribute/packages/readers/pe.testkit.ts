/** A Windows program of one section that holds a version resource; small, and enough for loaders and signers. */
export interface PeWish {
  version?: [number, number, number, number] | null
  texts?: Record<string, string>
  isLibrary?: boolean
  machine?: number
}

const FILE_ALIGNMENT = 512
const HEADERS_BYTES = 512
const SECTION_ADDRESS = 0x1000

export function makePe(wish: PeWish = {}): Buffer {
  const { version = [1, 2, 3, 4], texts = { ProductName: 'Demo', CompanyName: 'Example', ProductVersion: '1.2.3' } } =
    wish
  const resources = version === null ? Buffer.alloc(16) : resourceTree(versionInfo(version, texts))
  const section = Buffer.alloc(Math.ceil(resources.length / FILE_ALIGNMENT) * FILE_ALIGNMENT)
  resources.copy(section)
  const head = Buffer.alloc(HEADERS_BYTES)
  head.write('MZ')
  head.writeUInt32LE(0x40, 60)
  head.write('PE\0\0', 0x40, 'latin1')
  head.writeUInt16LE(wish.machine ?? 0x8664, 0x44)
  head.writeUInt16LE(1, 0x46)
  head.writeUInt32LE(1_700_000_000, 0x48)
  head.writeUInt16LE(240, 0x54)
  head.writeUInt16LE(wish.isLibrary ? 0x2022 : 0x0022, 0x56)
  const optional = 0x58
  head.writeUInt16LE(0x20b, optional)
  head.writeUInt32LE(SECTION_ADDRESS, optional + 32)
  head.writeUInt32LE(FILE_ALIGNMENT, optional + 36)
  head.writeUInt32LE(SECTION_ADDRESS + 0x1000, optional + 56)
  head.writeUInt32LE(HEADERS_BYTES, optional + 60)
  head.writeUInt16LE(3, optional + 68)
  head.writeUInt32LE(16, optional + 108)
  if (version !== null) {
    head.writeUInt32LE(SECTION_ADDRESS, optional + 112 + 16)
    head.writeUInt32LE(resources.length, optional + 112 + 20)
  }
  const table = optional + 240
  head.write('.rsrc', table)
  head.writeUInt32LE(section.length, table + 8)
  head.writeUInt32LE(SECTION_ADDRESS, table + 12)
  head.writeUInt32LE(section.length, table + 16)
  head.writeUInt32LE(HEADERS_BYTES, table + 20)
  head.writeUInt32LE(0x40000040, table + 36)
  return Buffer.concat([head, section])
}

/** Three folders deep: type 16, name 1, language 1033; then where the data lies. */
function resourceTree(data: Buffer): Buffer {
  const tree = Buffer.alloc(88)
  const folder = (at: number, id: number, target: number) => {
    tree.writeUInt16LE(1, at + 14)
    tree.writeUInt32LE(id, at + 16)
    tree.writeUInt32LE(target, at + 20)
  }
  folder(0, 16, 0x80000000 + 24)
  folder(24, 1, 0x80000000 + 48)
  folder(48, 1033, 72)
  tree.writeUInt32LE(SECTION_ADDRESS + 88, 72)
  tree.writeUInt32LE(data.length, 76)
  return Buffer.concat([tree, data])
}

function block(key: string, value: Buffer, children: Buffer[] = [], isText = false): Buffer {
  const name = Buffer.from(`${key}\0`, 'utf16le')
  const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  const begin = pad(Buffer.concat([Buffer.alloc(6), name]))
  const body = Buffer.concat([begin, value.length > 0 ? pad(value) : value, ...children.map(pad)])
  body.writeUInt16LE(body.length, 0)
  body.writeUInt16LE(isText ? value.length / 2 : value.length, 2)
  body.writeUInt16LE(isText ? 1 : 0, 4)
  return body
}

function versionInfo([a, b, c, d]: [number, number, number, number], texts: Record<string, string>): Buffer {
  const fixed = Buffer.alloc(52)
  fixed.writeUInt32LE(0xfeef04bd, 0)
  fixed.writeUInt32LE(0x10000, 4)
  fixed.writeUInt16LE(b, 8)
  fixed.writeUInt16LE(a, 10)
  fixed.writeUInt16LE(d, 12)
  fixed.writeUInt16LE(c, 14)
  const strings = Object.entries(texts).map(([key, text]) => block(key, Buffer.from(`${text}\0`, 'utf16le'), [], true))
  const table = block('040904b0', Buffer.alloc(0), strings)
  return block('VS_VERSION_INFO', fixed, [block('StringFileInfo', Buffer.alloc(0), [table])])
}
