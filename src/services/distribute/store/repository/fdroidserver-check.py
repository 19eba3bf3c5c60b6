#!/usr/bin/python3
"""fdroidserver-check.py ADDRESS FINGERPRINT [OLD-INDEX-V2.json]

F-Droid's own code (Debian package fdroidserver) reads both indexes of a repository, checks their signatures, the signer's
fingerprint and the digest of the second index. Every package and picture they list is fetched and compared. With an older
index, the repository's diff is compared with the one that fdroidserver makes. Prints what it found as JSON.
"""
import copy
import hashlib
import json
import sys
import urllib.request

from fdroidserver import common, index

common.config = {"jarsigner": "/usr/bin/jarsigner", "keytool": "/usr/bin/keytool", "apksigner": "/usr/bin/apksigner"}
index.config = common.config

address, fingerprint = sys.argv[1].rstrip("/"), sys.argv[2]


def fetch(path):
    with urllib.request.urlopen(address + path) as reply:
        return reply.read()


def is_same(entry):
    body = fetch(entry["name"])
    return hashlib.sha256(body).hexdigest() == entry["sha256"] and len(body) == entry["size"]


def merged(old, change):
    if not isinstance(old, dict) or not isinstance(change, dict):
        return change
    result = copy.copy(old)
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


v1, _ = index.download_repo_index_v1(f"{address}?fingerprint={fingerprint}", verify_fingerprint=True)
v2, _ = index.download_repo_index_v2(f"{address}?fingerprint={fingerprint}", verify_fingerprint=True)
wrong = []
for package in v1["packages"].values():
    for one in package:
        if not is_same({"name": "/" + one["apkName"], "sha256": one["hash"], "size": one["size"]}):
            wrong.append(one["apkName"])
for package in v2["packages"].values():
    files = [version["file"] for version in package["versions"].values()]
    files += package["metadata"].get("icon", {}).values()
    for shots in package["metadata"].get("screenshots", {}).get("phone", {}).values():
        files += shots
    wrong += [file["name"] for file in files if not is_same(file)]

entry = json.loads(fetch("/entry.json"))
result = {
    "v1": {name: [one["versionCode"] for one in found] for name, found in v1["packages"].items()},
    "v2": {
        name: [one["manifest"]["versionCode"] for one in found["versions"].values()] for name, found in v2["packages"].items()
    },
    "names": {name: found["metadata"]["name"] for name, found in v2["packages"].items()},
    "numPackages": entry["index"]["numPackages"],
    "diffs": sorted(entry["diffs"]),
    "wrong": wrong,
}
if len(sys.argv) > 3:
    with open(sys.argv[3], encoding="utf-8") as file:
        old = json.load(file)
    named = entry["diffs"][str(old["repo"]["timestamp"])]
    diff = json.loads(fetch(named["name"]))
    result["diff"] = {
        "isWhole": is_same(named),
        "isTheirs": diff == index.dict_diff(old, v2),
        "leadsToIndex": merged(old, diff) == v2,
        "packages": named["numPackages"],
    }
print(json.dumps(result))
