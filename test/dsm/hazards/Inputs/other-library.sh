# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the program, on node 1 with the library of the given folder.
folder=$1
shift
# SOCKET,CONTROLFILE,NODE,NODES
case $GRAUPEL_DSM_LAUNCHER in
*,1,2) export LD_PRELOAD="$folder/libgraupel-dsm.so" ;;
esac
exec "$@"
