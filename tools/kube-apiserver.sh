#!/bin/sh
# Builds the Kubernetes API that the tests of functions in a cluster talk to, from the source package of Debian 12, and
# puts it into the folder that is named: it belongs on the PATH, beside etcd. As root; some five minutes on two cores, once.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
work=$(mktemp -d)
sources=/etc/apt/sources.list.d/loggia-source.sources
trap 'rm -rf "$work" "$sources"' EXIT

sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$sources"
apt-get update -qq
apt-get install -y -qq --no-install-recommends \
  etcd-server golang-1.19-go golang-github-modern-go-reflect2-dev dpkg-dev jq make rsync
cd "$work"
apt-get source -qq kubernetes
cd kubernetes-*

# The reflect2 in it is older than Go 1.18, and ends the server once that keeps custom resources; Debian's own is not.
rm vendor/github.com/modern-go/reflect2/*.go
cp /usr/share/gocode/src/github.com/modern-go/reflect2/*.go /usr/share/gocode/src/github.com/modern-go/reflect2/*.s \
  vendor/github.com/modern-go/reflect2/
mkdir -p .go/src/k8s.io
ln -s ../../.. .go/src/k8s.io/kubernetes
export GOPATH="$PWD/.go" GOCACHE="$work/cache" HOME="$work" CGO_ENABLED=0 PATH="/usr/lib/go-1.19/bin:$PATH"
make WHAT=cmd/kube-apiserver
cp _output/bin/kube-apiserver "$folder/"
