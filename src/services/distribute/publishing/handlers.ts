import { implement } from '../../../server/implement.ts'
import { appIds, appInfo, changeAppInfo, changeLanguageInfo, removeLanguageInfo } from './app-info.ts'
import { answering } from './asking.ts'
import { publishing } from './contract.ts'
import { compileStatus, takeFiles } from './file-info.ts'
import { changePhased, changePhasedState, changeTime, submitApp, withdraw, withdrawOf } from './release.ts'
import { objectAddress, receive, uploadAddress } from './sending.ts'
import { submitWithFile } from './with-file.ts'

export default implement(publishing, {
  listAppIds: answering(appIds),
  getAppInfo: answering(appInfo),
  updateAppInfo: answering(changeAppInfo),
  updateLanguageInfo: answering(changeLanguageInfo),
  deleteLanguageInfo: answering(removeLanguageInfo),
  getUploadUrl: answering(uploadAddress),
  getObjectUploadUrl: answering(objectAddress),
  upload: (ctx, { params, request }) => receive(ctx, params.ticket, request),
  updateFileInfo: answering(takeFiles),
  getCompileStatus: answering(compileStatus),
  getBundleCompileStatus: answering(compileStatus),
  submitApp: answering(submitApp),
  submitWithFile: answering(submitWithFile),
  updatePhasedRelease: answering(changePhased),
  updatePhasedState: answering(changePhasedState),
  updateOnShelfTime: answering(changeTime),
  cancelSubmission: answering(withdrawOf),
  cancelVersion: answering(withdraw),
})
