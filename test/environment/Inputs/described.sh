# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Looks whether what is said about each command is complete.
count=0
for command in learn optimize run shell register instrument watch measure status show export import \
  unregister gc doctor ui use enable disable; do
  help=$(graupel $command --help) || echo "no help for $command"
  page=$(graupel man $command)
  for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' FILES; do
    grep -q "^\.SH $section$" <<<"$page" || echo "no $section of $command"
  done
  if type groff >/dev/null 2>&1; then
    groff -man -ww -Tascii -z <<<"$page" 2>&1
  fi
  for option in $(sed -n 's/^  \(--[a-z]*\).*/\1/p' <<<"$help"); do
    for shell in bash zsh fish; do
      graupel completion $shell | grep -q -e "${option#--}" ||
        echo "$shell does not complete $option of $command"
    done
  done
  count=$((count + 1))
done
for group in dsm numa stride; do
  for command in $(graupel $group --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    words=$(graupel completion fish |
      sed -n "s/.*seen_subcommand_from $group' -a '\(.*\)'/\1/p")
    case " $words " in
      *" $command "*) ;;
      *) echo "graupel $group $command is not completed" ;;
    esac
  done
done
graupel man | grep -q '^\.SH COMMANDS$' || echo "no list of commands"
# Pages that the build makes, to be installed.
pages=$(dirname "$(command -v graupel)")/../share/man/man1
for command in $(graupel man | sed -n 's/^\.BR graupel\\-\(.*\) (1)$/\1/p'); do
  [ -f "$pages/graupel-$command.1" ] || echo "there is no page of $command"
done
for shell in bash zsh fish; do
  if type $shell >/dev/null 2>&1; then
    graupel completion $shell | $shell -n || echo "$shell does not read it"
  fi
done
echo "$count commands are described"
