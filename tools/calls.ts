import { zoneRuleOf } from '../src/kernel/contract.ts'
import { services } from '../src/services/all.server.ts'

/** `npm run -s calls`: what is mounted, tab separated. */
process.stdout.write('service\tmethod\tpath\twho\tmay\tzone\n')
for (const { contract } of services.flatMap(one => one.calls)) {
  for (const call of Object.values(contract.calls)) {
    const row = [
      contract.name,
      call.method,
      contract.prefix + call.path,
      call.who,
      call.may,
      zoneRuleOf(contract, call),
    ]
    process.stdout.write(`${row.join('\t')}\n`)
  }
}
