/** Rules as people publish them in guides and repositories, written anew in their manner. */
export const firebaseRules: readonly string[] = [
  `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /{allPaths=**} {
      allow read, write: if request.auth != null;
    }
  }
}
`,
  `rules_version = '2';
// Pictures of people
service firebase.storage {
  match /b/{bucket}/o {
    function isSignedIn() {
      return request.auth != null;
    }
    function isImageBelow(size) {
      return request.resource.contentType.matches('image/.*') && request.resource.size < size * 1024 * 1024;
    }
    match /images/{imageId} {
      allow read: if true; // everybody
      allow write: if isSignedIn() && isImageBelow(5);
    }
    match /users/{userId}/{allPaths=**} {
      allow read, delete: if isSignedIn() && request.auth.uid == userId;
      allow create, update: if isSignedIn() && request.auth.uid == userId
                            && (isImageBelow(10) || request.resource.contentType == 'application/pdf');
    }
    match /groups/{groupId}/{file} {
      allow read: if resource.metadata.owner == request.auth.token.groupId;
      allow write: if firestore.get(/databases/(default)/documents/groups/$(groupId)).data.owner == request.auth.uid
        && firestore.exists(/databases/(default)/documents/members/$(request.auth.uid));
    }
  }
}
`,
  `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function signedIn() { return request.auth != null; }
    function isOwner(userId) { return signedIn() && request.auth.uid == userId; }
    function profile() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data; }
    match /users/{userId} {
      allow get: if isOwner(userId) || profile().role == 'admin';
      allow create: if isOwner(userId)
        && request.resource.data.keys().hasAll(['name', 'email'])
        && request.resource.data.keys().hasOnly(['name', 'email', 'bio'])
        && request.resource.data.name is string && request.resource.data.name.size() <= 60;
      allow update: if isOwner(userId) && !request.resource.data.diff(resource.data).affectedKeys().hasAny(['role']);
      allow delete: if false;
    }
    match /posts/{postId} {
      allow list: if resource.data.published == true || (signedIn() && resource.data.author == request.auth.uid);
      allow get: if resource.data.published == true || isOwner(resource.data.author);
      allow create: if signedIn() && request.resource.data.author == request.auth.uid
        && request.resource.data.createdAt == request.time;
      allow write: if signedIn() && request.auth.token.roles.hasAny(['editor', 'owner']);
    }
    match /rooms/{roomId}/messages/{messageId} {
      allow read: if exists(/databases/$(database)/documents/rooms/$(roomId)/members/$(request.auth.uid));
      allow create: if request.time < timestamp.date(2100, 1, 1)
        && request.resource.data.text.size() > 0 && request.resource.data.text.size() < 1000;
    }
  }
}
`,
  `service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} {
      allow read, write: if request.time < timestamp.date(2024, 12, 31);
    }
  }
}
`,
]

/** Patterns that are slow in engines that go back, with texts that make them so. */
export const slowPatterns: readonly [string, string][] = [
  ['^(a+)+$', `${'a'.repeat(5000)}!`],
  ['^(a|a)*$', `${'a'.repeat(5000)}!`],
  ['^(a|aa)+$', `${'a'.repeat(5000)}!`],
  ['(x+x+)+y', 'x'.repeat(5000)],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a'.repeat(3000),
  ],
  ['(.*a){20}', 'a'.repeat(300)],
  ['^(\\w+\\s?)*$', `${'word '.repeat(1000)}!`],
  ['(?=a)a', 'a'],
  ['(a)\\1', 'aa'],
]
