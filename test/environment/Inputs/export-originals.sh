# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# export-originals.sh FOLDER: exports into folders that lead to the originals in
# many ways, and says what is refused and whether an original has changed.
cd "$1" || exit 1
app=$1/a/bin/app
sum() { cat a/bin/* a/lib/* | sha256sum; }
before=$(sum)

try() { # try WHAT FOLDER...: what `export` says, without paths
  what=$1
  shift
  graupel export app "$@" > out 2> err
  echo "$what: $? $(sed 's/^graupel export: error: [^:]*: //' err)"
  [ "$(sum)" = "$before" ] || { echo "$what: an original has changed"; exit 1; }
  [ -z "$(find "$1" -name '.graupel-*' 2> /dev/null)" ] || echo "$what: left a file"
}

try root /
try "root with slashes" ///
try "root by dots" ../../../../../../../../../../../../../../../..
ln -s / link
try "root by a link" link
try "root by a link and slash" link/
try "root by proc" /proc/self/root
try "root relative" "$(echo "$PWD" | sed 's|[^/]*|..|g;s|^../||')"

mkdir -p bound below/"$(dirname "$1")"
mount --rbind / bound
try "root by a mount" bound
umount -l bound

# The path leads to the originals' folder, not the folder itself.
mkdir -p "below$1"
ln -s "$1/a" "below$1/a"
try "a link below" below
rm "below$1/a" && mkdir "below$1/a"
mount --bind "$1/a" "below$1/a"
try "a mount below" below
umount "below$1/a"
mkdir -p "below$1/a/bin"
ln "$app" "below$app"
try "a hard link" below
ln -sf "$app" "below$app"
try "a symbolic link" below
rm "below$app" && cp "$app" "below$app"
try "a copy" below
printf '#!/bin/sh\n' > "below$app"
try "a file of others" below
rm "below$app" && mkdir "below$app"
try "a folder" below
rmdir "below$app" && mkfifo "below$app"
try "a pipe" below
rm "below$app"

# Where an original was is no place for a version either.
mv a/bin/app a/bin/kept
mkdir -p gone
try "the original is gone" gone
mv a/bin/kept a/bin/app

# Other registered images are originals, too.
cp a/lib/libfirst.so other.so
mkdir -p "second$1/a/bin" && cp /bin/true "second$app"
graupel register "second$app" --name=other > out
try "another application's" second

chmod a-w a/bin a/lib a/bin/app
try good exported
cmp -s "exported$app" "$app" && echo "nothing was exported"
try "good again" exported/.
stat -c "mode %a" "exported$app"
try "profiles" exported --profiles
cp "$app" "exported$app.gprofile"
try "a program for a profile" exported --profiles
rm "exported$app.gprofile"
try "profiles again" exported --profiles
try "the same profiles" exported --profiles
echo precious > "exported$app.gprofile"
try "a text for a profile" exported --profiles
