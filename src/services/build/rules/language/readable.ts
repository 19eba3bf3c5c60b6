/** Names that only the compiler knows are shown as people write them. */
export function readable(text: string): string {
  return text
    .replace(/__tick\(__state, ?\d+\) \? \(?/g, '')
    .replace(/\)? : false/g, '')
    .replace(/__state, ?/g, '')
    .replace(/__debug\(\d+, ?/g, 'debug(')
    .replace(/__cdb(Get|Exists)/g, (_all, name: string) => `clouddb.${name.toLowerCase()}`)
    .replace(/__storageExists/g, 'storage.exists')
    .replace(/in __is_(\w+)/g, 'is $1')
    .replace(/__math(\w)(\w*)/g, (_all, first: string, rest: string) => `math.${first.toLowerCase()}${rest}`)
    .replace(/__segment\(([^()]*)\)/g, '$1')
    .replace(/request\.segments/g, 'request.path')
    .replace(/(\w)__segments/g, '$1')
    .replace(/\bp_(\w+)/g, '$1')
    .replace(/\bv\d+_(\w+)/g, '$1')
    .replace(/__(\w+)/g, '$1')
    .replace(/dyn<([\w.]+)>/g, '$1')
    .replace(/google\.protobuf\.(Timestamp|Duration)/g, (_all, name: string) => name.toLowerCase())
}
