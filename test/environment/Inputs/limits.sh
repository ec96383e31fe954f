# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Learns and runs FOLDER/forever with a limit of file sizes, and with signals.
export XDG_STATE_HOME="$PWD/state"
graupel learn -- ./forever
graupel optimize --no-measure forever > /dev/null
for state in state nothing; do
  echo "$state"
  for size in 0 10; do
    for action in run learn; do
      (ulimit -f $size && XDG_STATE_HOME="$PWD/$state" graupel $action -- ./forever 2> /dev/null
       echo "status $?") | cat # The limit is not that of a pipe.
    done
  done
done
(ulimit -f 0 && graupel learn -- grep SigIgn /proc/self/status 2> /dev/null) | cat > inside
grep SigIgn /proc/self/status > outside
cmp inside outside && echo the signals it always had

echo descriptors
for number in 7 8 9 10 11 12 13 14 16 20; do
  (ulimit -n $number && graupel learn -- ./forever) 2> err || echo status $?
done

(ulimit -n 4 && graupel run -- ./forever) 2>&1

mkfifo ready
echo signals
python3 -c 'import subprocess
for end in "kill -INT $$", "exit 130", "kill -TERM $$":
    print(subprocess.run(["graupel", "learn", "--", "sh", "-c", end], stderr=subprocess.DEVNULL).returncode)'
for signal in USR1 USR2 ALRM TERM; do
  graupel learn -- sh -c 'trap "exit 9" '$signal'; echo > ready; while sleep 0.1; do :; done' 2> err &
  read line < ready
  kill -$signal $!
  wait $!
  echo "$signal: $?"
done
graupel learn -- sh -c 'echo $$ > ready; kill -STOP $$; echo continued' 2> err &
read process < ready
until grep -q 'State:.T' "/proc/$process/status"; do sleep 0.1; done
kill -CONT $!
wait $!
echo "status $?"
