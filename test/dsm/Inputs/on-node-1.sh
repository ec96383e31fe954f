# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# on-node-1.sh COMMAND -- PROGRAM...: runs the program, on node 1 of two after COMMAND
# (eval; it may also exec another one).
command=$1
shift 2
# SOCKET,CONTROLFILE,NODE,NODES
case $GRAUPEL_DSM_LAUNCHER/$PMIX_RANK in
*,1,2/ | /1) eval "$command" ;;
esac
exec "$@"
