/** What a project begins with: whoever is signed in to the app reads and writes; everybody reads what is public. */
export const firstRules = `agc.cloud.storage[
  match: /{bucket}/public/{path=**} {
    allow get;
    allow write: if request.auth != null;
  }
  match: /{bucket}/{path=**} {
    allow read, write: if request.auth != null;
  }
]
`
