import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { webhooks as contract } from './contract.ts'
import { Receiver } from './receiver.testkit.ts'

/** A stage with a receiver, and for each test a new team with a path of its own there. */
export class WebhookStage {
  readonly stage: Stage
  readonly receiver: Receiver
  owner!: Person
  path = ''
  #count = 0

  private constructor(stage: Stage, receiver: Receiver) {
    this.stage = stage
    this.receiver = receiver
  }

  static async open(): Promise<WebhookStage> {
    const receiver = await Receiver.open()
    return new WebhookStage(await openStage({ outboundAllow: [`127.0.0.1:${receiver.port}`] }), receiver)
  }

  async next(): Promise<void> {
    this.owner = await this.stage.person()
    this.path = `/hook${++this.#count}`
    this.receiver.answer = response => response.end('thanks')
  }

  async close(): Promise<void> {
    await this.stage.close()
    await this.receiver.close()
  }

  addWebhook(more: Record<string, unknown> = {}) {
    const body = { name: 'Build server', url: this.receiver.url + this.path, eventTypes: [], ...more }
    return this.owner.ok(contract, 'createEndpoint', { body })
  }

  async happen(type: string, data: Record<string, unknown> = {}, entityId = '77'): Promise<void> {
    const system = systemContext(this.stage.booted.server, 'CN', { name: 'test', scope: 'all' })
    const entity = type.slice(0, type.indexOf('.'))
    const { teamId } = this.owner
    await system.transact(async ctx => ctx.emit({ type, entity, entityId, teamId, data }))
  }

  async deliveriesOf(endpointId: string) {
    return (await this.owner.ok(contract, 'listDeliveries', { params: { endpointId } })).list
  }

  /** Turns the clock to the next try and lets it happen. */
  async turn(ms: number): Promise<void> {
    this.stage.clock.turn(ms)
    await this.stage.booted.worker.sweep()
    await this.stage.settle()
  }

  async signInAgain(): Promise<void> {
    const payload = { account: this.owner.loginName, password: this.owner.password }
    const reply = await this.stage.app.inject({ method: 'POST', url: '/oauth2/v1/login', payload })
    this.owner.cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
    this.owner.csrfToken = reply.json().csrfToken
  }
}
