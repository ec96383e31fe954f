# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Learns and optimizes two programs of the same content and different rights.
export XDG_STATE_HOME="$PWD/state"
seen() { graupel run -- stat -c '%n %a' "$@" 2> /dev/null; }
echo learn
graupel learn --name=first -- ./public
echo in one session
graupel learn --name=second -- sh -c './private; ./public; stat -c "%n %a" private public; ./private'
graupel export --profiles first exported > /dev/null
graupel-bolt export "exported$PWD/public.gprofile" -o counts.fdata > /dev/null
sed -n 's/^0 \[unknown\] 0 1 main 0 0 /runs: /p' counts.fdata

echo optimize
graupel optimize --no-measure "$PWD/public" > /dev/null
graupel register "$PWD/private" > /dev/null
graupel optimize --no-measure "$PWD/private" > /dev/null
seen private public
covered() { graupel run -- grep -c "$PWD/$1 " /proc/self/mountinfo; }
echo "covered: $(covered private)"

echo changed
chmod 755 private
seen private
echo "covered: $(covered private 2> /dev/null)"
echo again
graupel optimize --no-measure "$PWD/private" > /dev/null
seen private
echo "covered: $(covered private 2> /dev/null)"
