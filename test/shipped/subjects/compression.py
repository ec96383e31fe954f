# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compression, archives, differences of files."""
from .model import Subject, library

# What is packed is unpacked; what is damaged is an error.
STREAM = ("$P {} -c words$N.txt > w; cksum < w; $P -dc {} < w | cksum; head -c 999 w > h; $P -dc {} < h 2>&1 | cksum;"
          " echo ${{PIPESTATUS[0]}}")
# To a process on this host.
WIRE = "chmod +x rsh; rm -rf o; mkdir o; $P -z --zc={} -e ./rsh words$N.txt data$N.* h:$PWD/o/; cat o/* | cksum"
BROTLI = ("$P -c 'import ctypes, sys, zlib\nl = ctypes.CDLL(\"libbrotlienc.so.1\"); "
          "t = open(sys.argv[1], \"rb\").read()\n"
          "for q in (1, 5, 9, 11):\n    b = ctypes.create_string_buffer(len(t) + 999); "
          "n = ctypes.c_size_t(len(b)); k = len(t) // (20 if q > 9 else 1)\n"
          "    print(l.BrotliEncoderCompress(q, 20, 1, ctypes.c_size_t(k), t, ctypes.byref(n), b), n.value, "
          "zlib.crc32(b.raw[:n.value]))\n"
          "n.value = 3; print(l.BrotliEncoderCompress(5, 20, 1, ctypes.c_size_t(len(t)), t, ctypes.byref(n), "
          "b))' words$N.txt")

SUBJECTS = {
    "bzip2": Subject("bzip2", "/usr/bin/bzip2", STREAM.format("", "", "")),
    "libbz2": library("libbz2-1.0", "libbz2.so.1.0", "/usr/bin/bzip2", STREAM.format("", "", ""), needs="bzip2"),
    "lz4": Subject("lz4", "/usr/bin/lz4", STREAM.format("-9", "", "")),
    "liblz4": library("liblz4-1", "liblz4.so.1", "/usr/bin/rsync", WIRE.format("lz4"), needs="rsync"),
    "liblzma": library("liblzma5", "liblzma.so.5", "/usr/bin/xz", STREAM.format("-T1 -1", "", "")),
    "libzstd": library("libzstd1", "libzstd.so.1", "/usr/bin/rsync", WIRE.format("zstd"), needs="rsync"),
    "brotli": Subject("brotli", "/usr/bin/brotli", STREAM.format("-q 6", "", "")),
    "libbrotlienc": library("libbrotli1", "libbrotlienc.so.1", "/usr/bin/python3.11", BROTLI, needs="python3.11-minimal"),
    "lzop": Subject("lzop", "/usr/bin/lzop", "$P -9 -c < words$N.txt > w.lzo; $P -dc < w.lzo | cksum; "
                    "$P -t < source1.c 2>&1; echo $?"),
    "liblzo2": library("liblzo2-2", "liblzo2.so.2", "/usr/bin/lzop",
                       "$P -9 -c < words$N.txt > w.lzo; $P -dc < w.lzo | cksum",
                       needs="lzop"),
    "lzip": Subject("lzip", "/usr/bin/lzip.lzip", STREAM.format("-3", "", "")),
    "plzip": Subject("plzip", "/usr/bin/plzip", STREAM.format("-n1 -3", "-n1", "-n1")),
    "liblz": library("liblz1", "liblz.so.1", "/usr/bin/plzip", STREAM.format("-n1 -1", "-n1", "-n1"), needs="plzip"),
    "pigz": Subject("pigz", "/usr/bin/pigz", STREAM.format("-n -p 1", "-p 1", "-p 1")),
    "pbzip2": Subject("pbzip2", "/usr/bin/pbzip2", "$P -p2 -c words$N.txt > w; cksum < w; $P -dc < w | cksum"),
    "ncompress": Subject("ncompress", "/usr/bin/compress", "$P -c words$N.txt > w.Z; cksum < w.Z; $P -dc w.Z | cksum"),
    "zopfli": Subject("zopfli", "/usr/bin/zopfli", "head -c $N0000 words$N.txt > z; $P -c --i3 z > z.gz; "
                      "cksum < z.gz; gzip -dc z.gz | cksum"),
    "7zip": Subject("7zip", "/usr/bin/7zz", "rm -f a.7z; $P a -bso0 -bsp0 -mmt1 a.7z words$N.txt source1.c; "
                    "$P t a.7z | tail -9 | grep -v 'Phys\\|Compressed'; "
                    "$P x -so a.7z | cksum; $P x -so source1.c 2>&1 | wc -l"),
    "zip": Subject("zip", "/usr/bin/zip", "rm -f a.zip; touch -d @1000000000 words* data*; "
                   "$P -qX a.zip words$N.txt data*; cksum < a.zip; $P -T a.zip"),
    "unzip": Subject("unzip", "/usr/bin/unzip", "rm -f a.zip; touch -d @1000000000 words* data*; "
                     "zip -qX a.zip words$N.txt data*; $P -p a.zip | cksum; "
                     "$P -l a.zip; head -c 20000 a.zip > b.zip; $P -t b.zip 2>&1 | cksum", needs="zip"),
    "rzip": Subject("rzip", "/usr/bin/rzip", "cp words$N.txt w; $P -k -f w; $P -d -f -o v w.rz; cmp v words$N.txt; "
                    "echo $?"),
    "lrzip": Subject("lrzip", "/usr/bin/lrzip", "cp words$N.txt w; $P -q -f -p 1 w > l 2>&1; "
                     "$P -q -d -f -o v w.lrz > l 2>&1; cmp v words$N.txt; echo $?; $P -q -t source1.c > l 2>&1; "
                     "echo $?"),
    "zpaq": Subject("zpaq", "/usr/bin/zpaq", "rm -f a.zpaq; rm -rf o; $P add a.zpaq words$N.txt -m2 -t1 > l 2>&1; "
                    "echo $?; $P x a.zpaq -to o/ > l 2>&1; cksum < o/words$N.txt"),
    "arj": Subject("arj", "/usr/bin/arj", "rm -f a.arj; $P a -y a.arj words$N.txt source1.c > l; rm -rf o; "
                   "mkdir o; $P e -y a.arj o/ > l; cat o/* | cksum"),
    "cpio": Subject("cpio", "/usr/bin/cpio", "ls words*.txt source*.c | $P -oH newc 2>/dev/null > a.cpio; "
                    "$P -t < a.cpio; rm -rf o; mkdir o; cd o; $P -i < ../a.cpio; cat *$N.* | cksum"),
    "cabextract": Subject("cabextract", "/usr/bin/cabextract",
                        "gcab -n -c a.cab words$N.txt source1.c > l; $P -p a.cab | cksum; $P -t a.cab | tail -2",
                        needs="gcab"),
    "xdelta3": Subject("xdelta3", "/usr/bin/xdelta3", "sed s/qu/zz/ words$N.txt > v; $P -f -e -s words$N.txt v d; "
                       "cksum < d; $P -f -d -s words$N.txt d u; cmp u v; "
                       "$P -f -d -s source1.c d u 2>&1 | cut -c1-60"),
    "bsdiff": Subject("bsdiff", "/usr/bin/bsdiff", "head -c $N0000 words$N.txt > u; sed s/qu/zz/ u > v; $P u v d; "
                      "bspatch u w d; cmp v w; cksum < d"),
    "rdiff": Subject("rdiff", "/usr/bin/rdiff", "sed s/qu/zz/ words$N.txt > v; rm -f s d w; "
                     "$P signature words$N.txt s; $P delta s v d; cksum < d; $P patch words$N.txt d w; cmp v w"),
    "librsync": library("librsync2", "librsync.so.2", "/usr/bin/rdiff",
                        "sed s/qu/zz/ words$N.txt > v; rm -f s d w; $P signature words$N.txt s; $P delta s v d; "
                        "cksum < d; $P patch words$N.txt d w; cmp v w",
                        needs="rdiff"),
    "libarchive": library("libarchive13", "libarchive.so.13", "/usr/bin/bsdtar",
                        "for f in pax cpio zip 7zip; do $P -a --format $f --uid 0 --gid 0 -cf a.$f words$N.txt "
                        "source1.c; $P -xOf a.$f | cksum; done; "
                          "$P -tf source1.c 2>&1", needs="libarchive-tools"),
    "bsdtar": Subject("libarchive-tools", "/usr/bin/bsdtar",
                      "$P -cf a.tar words$N.txt source1.c data*; $P -tf a.tar; "
                      "$P -xOf a.tar --include 'data*' | cksum; $P -xf words1.txt 2>&1"),
    "patch": Subject("patch", "/usr/bin/patch", "sed -n 's/e/E/; p' source$N.c > n.c; diff -u source$N.c n.c > d; "
                     "cp source$N.c o.c; $P o.c d; cksum < o.c; $P -R o.c < d; $P -f o.c < d > l; $P -f o.c < d; "
                     "echo $?"),
    "diff": Subject("diffutils", "/usr/bin/diff", "sed '7~3s/e/E/; 9~50d' source$N.c > n.c; "
                    "$P -u source$N.c n.c | tail -n+3 | cksum; $P -y -W 200 source$N.c n.c | cksum; "
                    "$P -e source$N.c n.c | cksum; $P -qr /etc/default /etc | cksum"),
    "wdiff": Subject("wdiff", "/usr/bin/wdiff", "sed '7~3s/e/E/; 9~50d' words$N.txt > n; $P -s123 words$N.txt n; "
                     "$P words$N.txt n | cksum"),
    "rsync": Subject("rsync", "/usr/bin/rsync", "rm -rf o; mkdir o; $P -rt --stats words*.txt data* o/ | head -3; "
                     "sed -i s/e/E/ o/words$N.txt; $P -c -v words*.txt o/ | head -2; cat o/* | cksum; "
                     "$P /nowhere o 2>&1 | cut -d: -f1; chmod +x rsh; "
                     "$P -z --compress-choice=zlib -e ./rsh source$N.c h:$PWD/o/; cksum < o/source$N.c"),
}

FILES = {"rsh": "#!/bin/sh\nshift\nexec \"$@\"\n"}
