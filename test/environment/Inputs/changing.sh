# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# changing.sh FOLDER: changes FOLDER/app, which has just run, in many ways. What
# comes of it is in FOLDER/said.
cd "$1" || exit 9
export GIT_CONFIG_NOSYSTEM=1 HOME="$PWD"
git init -q . 2> /dev/null
while read -r change; do
  cp ../app new && mv -f new app
  ./app > /dev/null
  echo "$change"
  sh -c "$change" 2>&1 || echo "status $?"
  { stat -c '%a %s %u' app* && sha256sum app*; } 2>&1
  ./app 2>&1 || echo "status $?"
  rm -f app*
done > said << 'ways'
chmod 700 app
chmod 644 app
touch -d '2001-01-01 UTC' app && stat -c %y app
chown "$(id -u)" app
ln app app.linked
cp -p ../other new && mv new app
rsync -I ../other app
dd if=../other of=app status=none
cat ../other | tee app > /dev/null
gzip -n app
shred -u app
find . -name 'app*' -delete
find . -name 'app*' -exec rm {} +
git add app && rm app && git checkout -q app
git add app && git rm -q -f app
tar -cf new.tar app && tar -xf new.tar && rm new.tar
cmake -E copy ../other app
cmake -E rm app
rm -f app && ln -s ../other app
ways
rm -rf .git
