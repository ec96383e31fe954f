# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares what is made of a program while it learns with what is made of it alone.
runs() { # runs APPLICATION IMAGE: how often its main was called.
  rm -rf exported
  graupel export --profiles "$1" exported > /dev/null
  graupel-bolt export "exported$PWD/$2.gprofile" -o counts.fdata > /dev/null
  sed -n 's/^0 \[unknown\] 0 1 main 0 0 /runs: /p' counts.fdata
}
listed() { (cd "$1" && find made -printf '%p %m %y %n\n' | sort); }
export XDG_STATE_HOME="$PWD/state"
umask 022

mkdir "of it alone" "of learning" && cp -p app "of it alone" && cp -p app "of learning"
sh handling.sh "of it alone" > alone.out 2>&1
graupel learn --name=first -- sh handling.sh "of learning" > learning.out 2> learning.err
echo status $?
(cd "of learning" && ls app made | grep -q . && cd made &&
  ls renamed installed-and-stripped by-strip by-cat linked linked-too > /dev/null &&
  echo app renamed installed-and-stripped by-strip by-cat linked linked-too are there)
listed "of it alone" > alone.list
listed "of learning" > learning.list
diff -r "of it alone" "of learning" && diff alone.list learning.list &&
  diff alone.out learning.out && echo all alike
runs first "of learning/app"
echo warnings: $(wc -l < learning.err)

echo at once
mkdir -p "at once" && cp -p app "at once" && cp -p app "at once/other"
graupel learn --name=second -- sh many_handle.sh "at once" 20
runs second "at once/app"

echo named
mkdir named && cp -p app named && mkfifo named/go
graupel learn --name=third -- sh -c 'cd named && { ./app names < go > names & } &&
  exec 3> go && ./app > /dev/null && cp app copy && echo >&3 && cp app copy && exec 3>&- && wait'
echo by its path: $(grep -cFx "$PWD/named/app" named/names) of $(wc -l < named/names)
cmp app named/copy && echo the original

# What is mounted inside is seen.
echo mounted
mkdir inside outside && echo from the mount > inside/file && echo from below > outside/file
graupel learn --name=fourth -- sh -c './app > /dev/null
  mount --bind inside outside 2> /dev/null && cp outside/file got ||
    unshare --user --mount --map-root-user sh -c "mount --bind inside outside && cp outside/file got"'
cat got
