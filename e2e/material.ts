import sharp from 'sharp'
import { materialTests } from '../src/services/distribute/material/tests/contract.ts'
import { materialDesk } from '../src/services/distribute/material/tests/desk/contract.ts'
import type { Visitor } from './loggia.ts'

const iconOf = (colour: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="216" height="216">
      <rect width="216" height="216" rx="48" fill="${colour}"/><circle cx="108" cy="96" r="44" fill="#fff3e0"/></svg>`),
  )
    .png()
    .toBuffer()

/** A test of the app's page that runs, and one that waits for the store; answers their pages. */
export async function testPages(owner: Visitor, reviewer: Visitor, appId: string, lang: string): Promise<string[]> {
  const handIn = async (name: string, colours: readonly string[]) => {
    const { testId } = await owner.ok(materialTests, 'createTest', {
      body: { appId, name, elements: ['icon', 'brief'], langs: [lang], trafficPercent: 50 },
    })
    for (const [at, colour] of colours.entries()) {
      const iconObjectId = await owner.upload(await iconOf(colour), 'icon.png', 'app_img')
      const materials = [{ lang, iconObjectId, brief: `A light in the fog, ${at + 1}` }]
      await owner.ok(materialTests, 'createVariant', { body: { testId, name: `Variant ${at + 1}`, materials } })
    }
    await owner.ok(materialTests, 'submitTest', { body: { testId } })
    return testId
  }
  const running = await handIn('Brighter icon', ['#1a237e', '#ff7043'])
  await reviewer.ok(materialDesk, 'decideTest', { body: { testId: running, verdict: 'APPROVE' } })
  await owner.ok(materialTests, 'startTest', { body: { testId: running } })
  const waiting = await handIn('Calmer icon', ['#004d40'])
  return [running, waiting].map(testId => `/apps/${appId}/material-tests/${testId}`)
}
