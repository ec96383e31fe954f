# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-views.sh FOLDER: runs FOLDER/app in several ways with and without the
# images of FOLDER/new in place and says whether it printed the same.
folder=$1
app=$folder/app
cd "$folder" || exit 1
for file in bin/views bin/static lib/liblinked.so lib/libloaded.so; do
  substitution-test know "$app/$file" "$folder/new/$file"
done > known
ln -sf app/bin/views link
printf '#!/bin/sh\n"%s/bin/views" from a script\n' "$app" > script
chmod +x script

marks() { sed -n 's/^\(program\|linked\|loaded\) \(.*\)/, \1 \2/p' "$1" | tr -d '\n'; }

# The shell's variable that says what it started is not the program's.
compare() {
  way=$1
  shift
  "$@" > original.out 2> original.err
  original=$?
  substitution-test run known "$@" > substituted.out 2> substituted.err
  status=$?
  same=different
  sed -i /^environment._=/d original.out substituted.out
  if cmp -s original.out substituted.out && [ $status = $original ]; then
    same=same
  else
    diff original.out substituted.out
    cat substituted.err
  fi
  echo "$way: $same$(marks substituted.err), status $status"
}

compare directly "$app/bin/views" one 'two three'
compare relative ./app/bin/views
compare "by a link" ./link
PATH=$PATH:$app/bin compare "by PATH" views
compare "by a script" ./script
compare "by xargs" sh -c "echo argument | xargs $app/bin/views"
compare "without environment" env -i "$app/bin/views"
compare "without input" sh -c "$app/bin/views <&-"
if [ "$(id -u)" = 0 ]; then
  compare "in a chroot" chroot / "$app/bin/static"
else
  compare "in a chroot" unshare --user --map-root-user --root=/ "$app/bin/static"
fi
compare static "$app/bin/static" one
