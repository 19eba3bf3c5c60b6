import sharp from 'sharp'
import { immersive } from '../src/services/distribute/distribution-view/immersive/contract.ts'
import { immersiveDesk } from '../src/services/distribute/distribution-view/immersive/desk/contract.ts'
import type { Visitor } from './loggia.ts'

/** Hills under an evening sky, upright. */
export function heroPicture(sky = '#1a237e', sun = '#ffb74d'): Promise<Buffer> {
  const hills = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1920">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${sky}"/><stop offset="1" stop-color="${sun}"/></linearGradient></defs>
    <rect width="1080" height="1920" fill="url(#sky)"/><circle cx="720" cy="1100" r="170" fill="#fff3e0"/>
    <path d="M0 1400 Q270 1150 540 1400 T1080 1350 V1920 H0Z" fill="#004d40"/>
    <path d="M0 1600 Q300 1420 620 1620 T1080 1560 V1920 H0Z" fill="#00251a"/></svg>`
  return sharp(Buffer.from(hills)).png().toBuffer()
}

/** One app's picture is shown and its next one prepared; the other app's waits on the desk. */
export async function showPictures(owner: Visitor, reviewer: Visitor, shownAppId: string, waitingAppId: string) {
  const handIn = async (appId: string, picture: Buffer) => {
    const objectId = await owner.upload(picture, 'hero.png', 'app_img')
    await owner.ok(immersive, 'setImmersive', { body: { appId, objectId } })
    await owner.ok(immersive, 'submitImmersive', { body: { appId } })
  }
  await handIn(shownAppId, await heroPicture())
  await reviewer.ok(immersiveDesk, 'decideImmersive', { body: { appId: shownAppId, verdict: 'APPROVE' } })
  const objectId = await owner.upload(await heroPicture('#4a148c', '#f48fb1'), 'next.png', 'app_img')
  await owner.ok(immersive, 'setImmersive', { body: { appId: shownAppId, objectId } })
  await handIn(waitingAppId, await heroPicture('#01579b', '#b3e5fc'))
}
