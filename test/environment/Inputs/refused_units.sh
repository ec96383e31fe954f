# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# refused_units.sh FOLDER PROGRAM: services that cannot start with versions,
# and what `graupel enable` says of them.
unit() {
  printf '[Service]\n%s\n' "$2" > "$folder/$1.service"
}
folder=$1
unit named "ExecStart=@$2 another"
unit user "User=graupel-test
ExecStart=$2"
unit homes "RootDirectory=/srv
ExecStart=$2"
unit several "ExecStart=$2 ; /bin/true"
unit other "ExecStart=/bin/true"
unit guessed "Type=forking
ExecStart=$2"
unit killed "SystemCallFilter=@system-service
ExecStart=$2"
for unit in named user homes several other guessed killed; do
  ! graupel enable --unit=$unit app || echo "$unit is enabled"
done
