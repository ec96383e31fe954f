# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs commands in ways in which graupel must not be noticed, and where it cannot.
status() { echo "$1: $?"; }

graupel run -- true
status "nothing registered"
ls state 2> /dev/null

graupel learn -- app/bin/four 100 0
graupel instrument four > /dev/null
graupel instrument four > /dev/null
graupel run -- app/bin/four 100 9
status status
graupel run ./nosuch
status "no such file"
graupel run -- /
status "no program"
graupel run
status "no command"
graupel shell word
status "a word"
graupel run --help > /dev/null
status help
graupel run -- sh -c 'kill -9 $$'
status killed
graupel learn -- sh -c 'kill -9 $$' > /dev/null 2>&1
status "killed while it learns"
sh -c "trap '' CHLD; exec graupel learn --name=sh -- sh -c 'exit 4'" 2> /dev/null
status "nobody waits for children"
graupel run -- sh -c 'kill -INT $$; echo survived'
status interrupted
graupel run -- sh -c 'echo input and; cat' < known
GRAUPEL_PROFILE=$PWD/elsewhere graupel run -- app/bin/four 100
ls elsewhere 2> /dev/null
graupel optimize four > /dev/null
GRAUPEL_PROFILE=mine graupel run -- sh -c 'echo $GRAUPEL_PROFILE'
graupel instrument four > /dev/null
sh -c "trap '' TERM; graupel run -- sh -c 'kill -TERM \$\$; echo ignored'"

echo learn is killed
mkfifo ready go
graupel learn --name=sh -- sh -c 'echo > ready; read line < go; exec app/bin/four 200 > killed.out' &
learner=$!
read line < ready
kill -9 $learner
echo > go
wait
until [ -s killed.out ]; do sleep 0.01; done
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  graupel status > /dev/null
  ls state/graupel/spool | grep -q . || break
  sleep 0.1
done
ls state/graupel/spool
graupel optimize four > /dev/null
graupel export --profiles four exported > /dev/null
graupel-bolt export "exported$PWD/app/bin/four.gprofile" -o counts.fdata > /dev/null
grep -E '^0 \[unknown\] 0 1 main 0' counts.fdata
graupel instrument four > /dev/null

echo forbidden
unshare --user --map-root-user sh -c 'echo 0 > /proc/sys/user/max_user_namespaces
  exec setpriv --bounding-set=-all --inh-caps=-all sh -c "
    graupel run -- app/bin/four 100 5; echo \"forbidden: \$?\"
    graupel run --strict -- app/bin/four 100; echo \"strict: \$?\"
    graupel learn -- app/bin/four 100 6; echo \"forbidden to learn: \$?\""'

echo set-user-id
chmod u+s app/bin/four
graupel run -- app/bin/four 100
status set-user-id

echo cannot be written
chmod u-s app/bin/four
chmod -R a-w state
graupel run -- app/bin/four 100
status read-only
chmod -R u+w state
