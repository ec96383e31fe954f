# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interpreters, compilers and what belongs to them, in many languages."""
from .model import Subject, library

LIBEXEC = "/usr/lib/gcc/x86_64-linux-gnu/12"

SUBJECTS = {
    "lua": Subject("lua5.4", "/usr/bin/lua5.4", "$P script.lua words$N.txt; $P -e 'error(\"x\")' 2>&1 | tail -1"),
    "liblua": library("liblua5.3-0", "liblua5.3.so.0", "/usr/bin/rpm",
                      "$P --eval \"%{lua: dofile('script.lua')}\"; "
                      "$P --eval '%{lua: local t = {} for i = 1, "
                      "$N000 do t[i] = (i * 7919) % 1009 end table.sort(t) print(t[5], #t, (string.rep(\"ab\", "
                      "99):gsub(\"a\", \"cc\"))) error(1)}' 2>&1",
                      needs="rpm"),
    "luajit": Subject("luajit", "/usr/bin/luajit", "$P script.lua words$N.txt; $P -joff script.lua words$N.txt"),
    "libtcl": library("libtcl8.6", "libtcl8.6.so", "/usr/bin/tclsh8.6",
                      "$P script.tcl words$N.txt; echo 'foreach' | $P 2>&1",
                      needs="tcl8.6"),
    "guile": library("guile-3.0-libs", "libguile-3.0.so.1", "/usr/bin/guile-3.0",
                     "sed s/NNN/$N000/ script.scm > s.scm; $P --no-auto-compile s.scm",
                     needs="guile-3.0"),
    "csi": library("libchicken11", "/usr/lib/libchicken.so.11", "/usr/bin/csi",
                   "sed s/NNN/$N000/ script.scm > s.scm; $P -s s.scm",
                   needs="chicken-bin"),
    "csc": Subject("chicken-bin", "/usr/bin/chicken", "sed s/NNN/$N000/ script.scm > s.scm; "
                   "$P s.scm -optimize-level $N -output-file o.c; "
                   "grep -v '^ *Generated\\|^ *20\\|^ *command' o.c | wc -l"),
    "gsi": Subject("gambc", "/usr/bin/gsi", "sed s/NNN/$N000/ script.scm > s.scm; $P s.scm"),
    "ecl": library("libecl21.2", "libecl.so.21.2", "/usr/bin/ecl",
                   "sed s/NNN/$N000/ script.lisp > s.lisp; $P --norc --shell s.lisp",
                   needs="ecl"),
    "clisp": Subject("clisp", "/usr/lib/clisp-2.49.93+/base/lisp.run",
                     "sed s/NNN/$N000/ script.lisp > s.lisp; $P -M /usr/lib/clisp-2.49.93+/base/lispinit.mem -norc "
                     "-q s.lisp"),
    "sbcl": Subject("sbcl", "/usr/bin/sbcl", "sed s/NNN/$N000/ script.lisp > s.lisp; "
                    "$P --core /usr/lib/sbcl/sbcl.core --script s.lisp", environment={"SBCL_HOME": "/usr/lib/sbcl"}),
    "libpolyml": library("libpolyml9", "libpolyml.so.9", "/usr/bin/poly", "sed s/3000/$N000/ script.sml | $P -q",
                        needs="polyml"),
    "libgforth": Subject("gforth", "/usr/bin/gforth", "$P -e \"$N0000 constant n\" script.fs; "
                        "$P -e '1 0 / bye' 2>&1 | wc -l"),
    "swipl": library("swi-prolog-core", "libswipl.so.9", "/usr/bin/swipl", "$P -q -g \"main($N0),halt\" script.pro",
                     needs="swi-prolog-nox"),
    "gprolog": Subject("gprolog", "/usr/bin/gprolog", "$P --consult-file script.pro --query-goal "
                       "\"main($N0),halt\" | tail -3"),
    "erlang": Subject("erlang-base", "/usr/lib/erlang/erts-13.1.5/bin/beam.smp",
                      "$P -S 1:1 -- -root /usr/lib/erlang -bindir $BINDIR -progname erl -- -home . -- -noshell "
                      "-eval \"$(cat script.erl)\" -extra $N00",
                      environment={"BINDIR": "/usr/lib/erlang/erts-13.1.5/bin", "ROOTDIR": "/usr/lib/erlang",
                                   "EMU": "beam", "PROGNAME": "erl"}),
    "ocamlrun": Subject("ocaml-base", "/usr/bin/ocamlrun", "ocamlfind ocamlc script.ml -o s.byte 2>&1 || ocamlc "
                        "script.ml -o s.byte; $P s.byte words$N.txt",
                        needs="ocaml"),
    "ocamlc": Subject("ocaml", "/usr/bin/ocamlc.opt", "for i in $(seq $N0); do echo 'module M'$i' = struct'; "
                      "cat script.ml; echo end; done > x.ml; $P -dlambda -c x.ml 2>&1 | cksum; cksum < x.cmo; "
                      "echo 'let x = 1 + \"a\"' > y.ml; $P y.ml 2>&1"),
    "ocamlopt": Subject("ocaml", "/usr/bin/ocamlopt.opt", "for i in $(seq $N0); do echo 'module M'$i' = struct'; "
                        "cat script.ml; echo end; done > x.ml; $P -S -c x.ml; cksum < x.s"),
    "fpc": Subject("fp-compiler-3.2.2", "/usr/lib/x86_64-linux-gnu/fpc/3.2.2/ppcx64",
                   "rm -f *.o; $P -O$N -al -s script.pas | tail -3 | grep -v sec; cksum < script.s; "
                   "echo 'begin x := 1 end.' > y.pas; $P y.pas | grep Err",
                   needs="fpc"),
    "gnat1": Subject("gnat-12", f"{LIBEXEC}/gnat1", "$P -quiet -O$N -gnatwa script.adb -o - 2>&1 | cksum; "
                     "$P -quiet -gnatc bad.adb 2>&1 | head -4"),
    "libgnat": library("libgnat-12", "libgnat-12.so", "./ada",
                       "[ -x ada ] || gnatmake -q -O1 script.adb -o ada -bargs -shared; $P words$N.txt",
                       needs="gnat-12"),
    "gnatls": Subject("gnat-12", "/usr/bin/gnatkr-12", "for i in $(seq $N0); do $P "
                      "ada-text_io-enumeration_io$i.ads 12; done | cksum"),
    "f951": Subject("gfortran-12", f"{LIBEXEC}/f951", "$P -quiet -O$N script.f90 -o - | cksum; "
                    "$P -quiet bad.f90 -o - 2>&1 | head -5"),
    "libgfortran": library("libgfortran5", "libgfortran.so.5", "./f90",
                        "[ -x f90 ] || gfortran -O1 script.f90 -o f90; echo $N000 | $P",
                        needs="gfortran-12"),
    "cc1d": Subject("gdc-12", f"{LIBEXEC}/d21", "$P -quiet -O$N -I /usr/lib/gcc/x86_64-linux-gnu/12/include/d "
                    "script.d -o - | cksum; echo 'int x = \"a\";' > bad.d; $P -quiet bad.d -o - 2>&1 | head -3"),
    "libphobos": library("libgphobos3", "libgphobos.so.3", "./dprog",
                        "[ -x dprog ] || gdc-12 -O1 -shared-libphobos script.d -o dprog; $P words$N.txt",
                        needs="gdc-12"),
    "cc1plus": Subject("g++-12", f"{LIBEXEC}/cc1plus", "$P -quiet -O$N cxx.cpp -imultiarch x86_64-linux-gnu -o - | "
                       "cksum; echo 'int f() { return g<int>(\"a\"); }' | $P -quiet - -o - 2>&1 | head -5"),
    "lto1": Subject("gcc-12", f"{LIBEXEC}/lto1", "gcc-12 -c -O$N -flto -ffat-lto-objects -frandom-seed=1 "
                    "source$N.c -o l.o; $P -quiet -O$N l.o -o l.s; cksum < l.s"),
    "cpp": Subject("cpp-12", "/usr/bin/x86_64-linux-gnu-cpp-12",
                   "$P -E -P cxx.cpp 2>/dev/null | cksum; $P -dM source$N.c | cksum", environment={"GCC_EXEC_PREFIX": "/usr/lib/gcc/"}),
    "clang-format": Subject("clang-format-14", "/usr/bin/clang-format-14",
                        "$P -style=Google source$N.c | cksum; $P -style=GNU cxx.cpp; "
                        "$P -style='{A: 1}' cxx.cpp 2>&1 | head -3"),
    "rustc": library("libstd-rust-1.63", "librustc_driver-*.so", "/usr/bin/rustc",
                     "$P -C opt-level=$N --emit asm script.rs -o o.s; cksum < o.s; "
                     "echo 'fn main() { let x: u8 = \"a\"; }' > bad.rs; $P bad.rs 2>&1",
                     needs="rustc"),
    "cargo": Subject("cargo", "/usr/bin/cargo", "rm -rf c; export CARGO_NET_OFFLINE=true; "
                     "$P new -q --vcs none c && cd c && for i in $(seq $N0); "
                     "do $P metadata -q --format-version 1 --no-deps | tr ',' '\\n' | grep -c name; done; "
                     "$P tree -q; echo x >> Cargo.toml; $P check 2>&1 | sed \"s,$PWD,,\""),
    "tcc": Subject("tcc", "/usr/bin/tcc", "$P -c source$N.c -o t.o; cksum < t.o; $P -run source$N.c; echo $?; "
                   "echo 'int f( {' | $P -c - 2>&1"),
    "nasm": Subject("nasm", "/usr/bin/nasm", "for i in $(seq $N00); do echo \"l$i: mov rax, [rbx+rcx*4+$i]\"; "
                    "echo \"jnz l$(($i / 2 + 1))\"; echo \"vaddps ymm1, ymm2, [rel l$i]\"; done > x.asm; "
                    "$P -Ox -f elf64 x.asm -o x.o; cksum < x.o; ndisasm -b64 x.o | cksum; "
                    "echo 'mov al, rbx' > y.asm; $P y.asm 2>&1"),
    "yasm": Subject("yasm", "/usr/bin/yasm", "for i in $(seq $N00); do echo \"l$i: mov rax, [rbx+rcx*4+$i]\"; "
                    "echo \"jnz l$(($i / 2 + 1))\"; echo \"addps xmm1, [rel l$i]\"; done > x.asm; "
                    "$P -f elf64 -l x.lst x.asm -o x.o; cksum < x.lst; cksum < x.o; echo 'mov al, rbx' > y.asm; "
                    "$P y.asm 2>&1"),
    "bison": Subject("bison", "/usr/bin/bison", "$P -v -o g.c grammar.y 2>&1; cksum < g.c; head -$N0 g.output; "
                     "echo '%%' > bad.y; $P bad.y 2>&1"),
    "flex": Subject("flex", "/usr/bin/flex", "for i in $(seq $N0); do echo \"key$i[a-z]+([0-9]|xyz){1,$i}  return "
                    "$i;\"; done | sed '1i%%\n$a%%' > x.l; $P -o l.c x.l; cksum < l.c; echo 'x' | $P -t 2>&1"),
    "re2c": Subject("re2c", "/usr/bin/re2c", "{ echo '/*!re2c'; for i in $(seq $N0); "
                    "do echo \"\\\"key$i\\\" [a-z]+ [0-9]* { return $i; }\"; done; echo '* { return -1; } */'; "
                    "} > x.re; $P -s x.re | grep -v Generated | cksum; $P -g x.re | grep -v Generated | cksum; echo '/*!re2c a' | $P - 2>&1"),
    "ragel": Subject("ragel", "/usr/bin/ragel", "{ echo '%%{ machine m; main := ('; for i in $(seq $N0); "
                     "do echo \"'key$i' [a-z]+ @{ f($i); } |\"; done; echo \"'x')*; write data; write exec; }%%\"; "
                     "} > x.rl; $P -G2 x.rl -o x.c; cksum < x.c; $P -V x.rl | cksum"),
    "gperf": Subject("gperf", "/usr/bin/gperf", "tr ' ' '\\n' < words$N.txt | sort -u | head -$N00 | $P -m 3 | grep -v Command | cksum"),
    "m4": Subject("m4", "/usr/bin/m4", "$P -DN=$N000 script.m4; echo 'eval(1/0) undefine(' | $P 2>&1"),
    "swig": Subject("swig4.0", "/usr/bin/swig4.0", "{ echo '%module x'; sed 's/static //' source$N.c | grep '^int "
                    "f\\|^struct' | sed 's/ {$/;/'; } > x.i; $P -python x.i; cksum < x_wrap.c; $P -lua -o l.c x.i; "
                    "cksum < l.c; echo 'int f(' > y.i; $P -lua y.i 2>&1",
                    needs="swig"),
    "protoc": library("libprotoc32", "libprotoc.so.32", "/usr/bin/protoc",
                      "{ echo 'syntax = \"proto3\";'; for i in $(seq $N0); do echo \"message M$i { int32 a = 1; "
                      "repeated string b = 2; map<string, int64> c = 3; }\"; done; } > x.proto; "
                      "$P --cpp_out=. --python_out=. x.proto; cat x.pb.cc x_pb2.py | cksum",
                      needs="protobuf-compiler"),
    "libprotobuf": library("libprotobuf32", "libprotobuf.so.32", "/usr/bin/protoc",
                        "{ echo 'syntax = \"proto3\";'; for i in $(seq $N0); do echo \"message M$i { int32 a = 1; "
                        "string b = 2; }\"; done; } > x.proto; $P -o x.bin x.proto; cksum < x.bin; "
                        "echo 'a: 7 b: \"x\"' | $P --encode=M1 x.proto | $P --decode=M1 x.proto; "
                        "$P --encode=M1 x.proto < x.proto 2>&1",
                        needs="protobuf-compiler"),
    "thrift": Subject("thrift-compiler", "/usr/bin/thrift", "for i in $(seq $N0); do echo \"struct S$i { 1: i32 a, "
                      "2: list<string> b } service V$i { S$i f(1: map<i64, string> x) }\"; done > x.thrift; "
                      "rm -rf gen-*; $P -o . --gen cpp --gen py x.thrift; cat gen-*/* 2>/dev/null | cksum; "
                      "echo 'struct {' > y.thrift; $P --gen py y.thrift 2>&1"),
    "flatc": Subject("flatbuffers-compiler", "/usr/bin/flatc",
                     "{ for i in $(seq $N0); do echo \"table T$i { a: int; b: [string]; }\"; done; "
                     "echo 'root_type T1;'; } > x.fbs; echo '{\"a\": 3, \"b\": [\"x\", \"y\"]}' > x.json; "
                     "$P -c -p -b x.fbs x.json; cat x.bin x_generated.h | cksum; echo '{\"z\": 3}' > y.json; "
                     "$P -b x.fbs y.json 2>&1 | sed 's,.*y.json,,' | tail -3"),
    "capnp": Subject("capnproto", "/usr/bin/capnp", "{ echo '@0xdbb9ad1f14bf0b36;'; for i in $(seq $N0); "
                     "do echo \"struct S$i { a @0 :Int32; b @1 :List(Text); }\"; done; } > x.capnp; "
                     "echo '(a = 3, b = [\"x\", \"y\"])' | $P encode x.capnp S1 > e; $P decode x.capnp S1 < e; "
                     "$P compile -o- x.capnp | cksum; echo '(z = 1)' | $P encode x.capnp S1 2>&1 | head -1"),
    "ctags": Subject("universal-ctags", "/usr/bin/ctags-universal",
                     "$P --sort=yes -f - --fields=+n source$N.c cxx.cpp script.* | cksum; "
                     "$P -x --c-kinds=+lp source1.c | cksum; $P --nothing 2>&1"),
    "cscope": Subject("cscope", "/usr/bin/cscope", "$P -b -k -f o.db source$N.c cxx.cpp; for i in 0 1 2 3 6; "
                      "do $P -d -f o.db -L$i f7; done"),
    "cflow": Subject("cflow", "/usr/bin/cflow", "$P source$N.c | cksum; $P -x source$N.c | cksum; "
                     "$P -r libc.c 2>&1 | tail -5"),
    "cppcheck": Subject("cppcheck", "/usr/bin/cppcheck", "$P -q --enable=all --xml source$N.c libc.c 2>&1 | cksum"),
    "splint": Subject("splint", "/usr/bin/splint", "$P -weak -nolib source$N.c 2>&1 | cksum; "
                      "$P -nolib cxx.cpp 2>&1 | tail -3"),
    "unifdef": Subject("unifdef", "/usr/bin/unifdef", "for i in $(seq $N00); do echo \"#if defined(A) && B > $(($i "
                       "% 5))\"; echo $i; echo '#elif C'; echo x; echo '#endif'; done > u.h; "
                       "$P -DA -DB=2 u.h | cksum; $P -UA u.h | cksum; echo '#if' | $P -DA 2>&1"),
    "objdump": Subject("binutils-x86-64-linux-gnu", "/usr/bin/x86_64-linux-gnu-objdump",
                       "gcc -g -c -O$N source$N.c -o s.o; $P -drSC s.o | cksum; "
                       "$P --dwarf=info,frames s.o | cksum; $P -d /usr/bin/mawk | cksum; $P -d source1.c 2>&1"),
    "readelf": Subject("binutils-x86-64-linux-gnu", "/usr/bin/x86_64-linux-gnu-readelf",
                       "gcc -g -c -O$N source$N.c -o s.o; $P -aW s.o | cksum; $P -wi s.o | cksum; "
                       "$P -aW /usr/bin/mawk | cksum; $P -a source1.c 2>&1"),
    "libbfd": library("libbinutils", "libbfd-2.40-system.so", "/usr/bin/nm",
                      "gcc -g -c -O$N source$N.c -o s.o; $P -l s.o | sed \"s,$PWD,,\" | cksum; "
                      "$P -D /usr/bin/mawk | cksum; strip s.o -o t.o; cksum < t.o",
                      needs="binutils"),
    "gold": Subject("binutils-x86-64-linux-gnu", "/usr/bin/x86_64-linux-gnu-ld.gold",
                    "gcc -c -O1 source$N.c -o s.o; $P --build-id=none -e main s.o -o s.exe 2>&1; cksum < s.exe; "
                    "$P -shared --gc-sections s.o -o s.so; cksum < s.so; $P libc.c 2>&1 | tail -1 | cut -d: -f2-"),
    "eu-readelf": Subject("elfutils", "/usr/bin/eu-readelf",
                        "gcc -g -c -O$N source$N.c -o s.o; $P -a -w s.o | cksum; $P -a /usr/bin/mawk | cksum; "
                        "$P -a source1.c 2>&1"),
    "libdw": library("libdw1", "libdw.so.1", "/usr/bin/eu-readelf",
                     "gcc -g -c -O$N source$N.c -o s.o; $P -winfo -wline -wframe -wloc s.o | cksum; "
                     "eu-addr2line -f -i -e s.o 0x100 0x200",
                     needs="elfutils"),
    "libelf": library("libelf1", "libelf.so.1", "/usr/bin/eu-strip",
                      "gcc -g -c -O$N source$N.c -o s.o; $P s.o -o t.o -f t.debug; cksum < t.o; cksum < t.debug; "
                      "eu-elflint t.o; eu-nm s.o | cksum",
                      needs="elfutils"),
    "gdb": Subject("gdb", "/usr/bin/gdb", "gcc -g -O0 source$N.c -o g; for i in 3 7 9; do echo \"info line f$i\"; "
                   "echo \"disassemble f$i\"; echo \"ptype struct s\"; echo \"print sizeof(struct s) * $i\"; "
                   "echo \"info scope f$i\"; done > c; $P -nx -batch -x c g 2>&1 | cksum; "
                   "$P -nx -batch -ex 'print 1 +' 2>&1"),
    "patchelf": Subject("patchelf", "/usr/bin/patchelf", "gcc -O1 source$N.c -o g; "
                        "$P --set-rpath /a/b/c/$N --add-needed libm.so.6 g; $P --print-rpath g; "
                        "$P --print-needed g; readelf -lW g | grep -c LOAD; $P --print-rpath source1.c 2>&1"),
    "dwz": Subject("dwz", "/usr/bin/dwz", "gcc -g -O1 source$N.c -o g; $P g -o h; readelf -wi h | cksum; "
                   "$P source1.c 2>&1"),
    "dtc": Subject("device-tree-compiler", "/usr/bin/dtc", "{ echo '/dts-v1/; / {'; for i in $(seq $N0); "
                   "do echo \"n$i: n@$i { reg = <$i>; x = \\\"a\\\", \\\"b\\\"; p = <&n$(($i / 2 + 1)) 1>; };\"; "
                   "done; echo '};'; } > x.dts; $P -q x.dts -o x.dtb; cksum < x.dtb; $P -q -I dtb x.dtb | cksum; "
                   "echo '/ {' | $P 2>&1"),
    "cmake": Subject("cmake", "/usr/bin/cmake", "$P -DN=$N000 -P script.cmake 2>&1; $P -E sha256sum words$N.txt; "
                     "$P -E tar cf t.tar words$N.txt; $P -P source1.c 2>&1 | tail -3", environment={"CMAKE_ROOT": "/usr/share/cmake-3.25"}),
    "ninja": Subject("ninja-build", "/usr/bin/ninja", "{ echo 'rule c'; echo '  command = cksum < $in > $out'; "
                     "for i in $(seq $N0); do echo \"build o/x$i: c words$(($i % 2 + 1)).txt\"; done; "
                     "} > build.ninja; rm -rf o .ninja*; $P -j1 -v | tail -1; $P; $P -t query o/x1; echo 'x' > b2; "
                     "$P -f b2 2>&1"),
    "bmake": Subject("bmake", "/usr/bin/bmake", "{ for i in $(seq $N00); do echo \"t$i: t$(($i + 1))\"; "
                     "echo \"\t@echo \\${.TARGET:S/t/u/} \\${L:M*$(($i % 9))*:O:u}\"; done; "
                     "echo L=$(seq -s' ' $N00); echo \"t$(($N * 100 + 1)):\"; } > b.mk; $P -r -f b.mk t1 | cksum; "
                     "echo '.if' > c.mk; $P -r -f c.mk 2>&1 | head -2"),
    "ccache": Subject("ccache", "/usr/bin/ccache", "rm -rf cc; export CCACHE_DIR=$PWD/cc; for i in 1 2; "
                      "do $P gcc -c -O1 source$N.c -o s.o; cksum < s.o; done; "
                      "$P --print-stats | grep '^[a-z_]*_hit\\|cache_miss'"),
    "pahole": Subject("pahole", "/usr/bin/pahole", "for i in $(seq $N0); do echo \"struct s$i { char a; long b; "
                      "struct s$i *c; short d[$i]; } v$i;\"; done > p.c; gcc -g -c p.c -o p.o; $P p.o | cksum; "
                      "$P -R -C s7 p.o; $P source1.c 2>&1"),
    "iverilog": Subject("iverilog", "/usr/lib/x86_64-linux-gnu/ivl/ivl",
                        "iverilog -Wall -Ptb.N=$N00 -o o.vvp script.v; vvp -n o.vvp | tail -3", environment={}),
    "vvp": Subject("iverilog", "/usr/bin/vvp", "iverilog -Ptb.N=$N00 -o o.vvp script.v; $P -n o.vvp | tail -3; "
                   "$P source1.c 2>&1 | head -1"),
    "yosys": Subject("yosys", "/usr/bin/yosys", "$P -q -p 'read_verilog design.v; synth -flatten -noabc; "
                     "tee -o stat.txt stat; write_blif o.blif'; grep -v Time stat.txt; cksum < o.blif; "
                     "$P -q -p 'read_verilog source1.c' 2>&1 | tail -1"),
    "verilator": Subject("verilator", "/usr/bin/verilator_bin",
                        "$P --cc -O$N -Wno-fatal design.v --Mdir o 2>&1 | grep -c Warn; "
                        "cat o/*.cpp | grep -v '^//' | cksum; $P --lint-only source1.c 2>&1 | head -2",
                        environment={"VERILATOR_ROOT": "/usr/share/verilator"}),
    "ghdl": Subject("ghdl-mcode", "/usr/bin/ghdl-mcode", "rm -f *.cf; $P -a script.vhdl && $P -r tb "
                    "--stop-time=$Nus 2>&1 | tail -3; echo 'entity' > b.vhdl; $P -s b.vhdl 2>&1", environment={"GHDL_PREFIX": "/usr/lib/ghdl/mcode"}),
    "shellcheck": Subject("shellcheck", "/usr/bin/shellcheck",
                        "for i in $(seq $N0); do echo \"f$i() { echo \\$1 | cat; [ \\$x == 3 ]; }\"; "
                        "cat script.sh; done > x.sh; $P -s sh -f gcc x.sh | cksum; "
                        "$P -s bash -f json script.bash | cksum"),
    "xmlstarlet": Subject("xmlstarlet", "/usr/bin/xmlstarlet",
                        "$P sel -t -m '//row[size > 5000]' -v 'name' -o ' ' -v 'string-length(text)' -n data$N.xml "
                        "| cksum; $P ed -d '//row[@kind=\"red\"]' -u '//name' -v z data$N.xml | cksum; "
                        "$P el -u data$N.xml; $P val data1.html 2>&1 | tail -1"),
}

FILES = {
    "script.lua": 'local n, t = {}, io.open(arg and arg[1] or "words1.txt"):read("a" == "" and "*a" or "*a")\n'
        'for w in t:gmatch("%a+") do n[w] = (n[w] or 0) + 1 end\n'
    'local k = {} for w in pairs(n) do k[#k + 1] = w end table.sort(k, function(a, '
    'b) return n[a] > n[b] or n[a] == n[b] and a < b end)\n'
    'for i = 1, 5 do print(k[i], n[k[i]]) end\nlocal s = 0 for i, '
    'w in ipairs(k) do s = (s * 31 + #w:rep(3):gsub("a", "bb")) % 1000003 end\n'
    'print(#k, s, pcall(function() error({}) end), select("#", (table.unpack or unpack)(k, 1, 50)), '
    '("%5.2f %q"):format(s / 7, k[1]))\n'
    'local co = coroutine.wrap(function() for i = 1, 1e4 do coroutine.yield(i * i) end end) local c = 0 for i = 1, '
    '9999 do c = c + co() end print(c)\n',
    "script.tcl": 'set f [open [lindex $argv 0]]; set t [read $f]; '
        'foreach w [regexp -all -inline {[a-z]+} $t] { dict incr n $w }\n'
    'set s 0; foreach w [lsort [dict keys $n]] { set s [expr {($s * 31 + [string length $w] * [dict get $n $w]) % '
    '1000003}] }\n'
    'puts "[dict size $n] $s [string length [regsub -all {a(.)} $t {\\1a}]]"; '
    'proc fib x { if {$x < 2} { return $x }; expr {[fib [incr x -1]] + [fib [incr x -1]]} }\n'
    'puts [fib 17]; puts [catch { error x } m]$m; puts [format %08.3f [expr {sqrt($s) ** 1.5}]] ; '
    'puts [expr {2 ** 200 / 3}]\n',
    "script.scm": '(define n NNN)\n'
    '(define (fib x) (if (< x 2) x (+ (fib (- x 1)) (fib (- x 2)))))\n'
    '(define (make i) (if (= i 0) \'() (cons (modulo (* i 7919) 1009) (make (- i 1)))))\n'
    '(define (qs l) (if (null? l) l (let loop ((r (cdr l)) (a \'()) (b \'())) (if (null? r) (append (qs a) (list '
    '(car l)) (qs b))\n'
    ' (if (< (car r) (car l)) (loop (cdr r) (cons (car r) a) b) (loop (cdr r) a (cons (car r) b)))))))\n'
    '(display (fib 18)) (newline)\n'
    '(display (apply + (let f ((l (qs (make n))) (i 0)) (if (null? l) \'() (cons (* i (car l)) (f (cdr l) (+ i '
    '1))))))) (newline)\n'
    '(define (fact x) (if (= x 0) 1 (* x (fact (- x 1)))))\n(display (fact 150)) (newline)\n'
    '(display (call-with-current-continuation (lambda (k) (map (lambda (x) (if (= x 3) (k x) x)) \'(1 2 3))))) '
    '(newline)\n'
    '(display (vector->list (list->vector (map (lambda (x) (string-append (number->string x) "a")) \'(1 2 3))))) '
    '(newline)\n',
    "script.lisp": '(defun fib (x) (if (< x 2) x (+ (fib (- x 1)) (fib (- x 2)))))\n(format t "~a~%" (fib 17))\n'
    '(let ((h (make-hash-table :test \'equal)) (s 0)) (dotimes (i NNN) (incf (gethash (format nil "k~d" (mod (* i '
    '7919) 503)) h 0) i))\n'
    ' (maphash (lambda (k v) (setf s (mod (+ s (* (length k) v)) 1000003))) h) (format t "~d ~d~%" '
    '(hash-table-count h) s))\n'
    '(format t "~a~%" (handler-case (error "x~a" 1) (error (e) (princ-to-string e))))\n'
    '(format t "~d~%" (let ((f 1)) (dotimes (i 200 f) (setf f (* f (1+ i))))))\n'
    '(format t "~{~a ~}~%" (sort (loop for i below 20 collect (mod (* i 37) 41)) #\'<))\n'
    '(defclass c () ((v :initarg :v :reader v)))\n'
    '(defmethod m ((x c)) (* 2 (v x)))\n(format t "~a~%" (loop for i below 500 sum (m (make-instance \'c :v i))))\n',
    "script.sml": 'fun fib x = if x < 2 then x else fib (x - 1) + fib (x - 2);\nprint (Int.toString (fib 22));\n'
        'fun f (x, a) = IntInf.* (IntInf.fromInt x, a);\n'
        'foldl f (IntInf.fromInt 1) (List.tabulate (99, fn i => i + 1));\n'
    'datatype t = L | N of t * int * t;\nfun add (L, x) = N (L, x, L) | add (n as N (a, y, b), '
    'x) = if x < y then N (add (a, x), y, b) else if x > y then N (a, y, add (b, x)) else n;\n'
    'fun sum L = 0 | sum (N (a, x, b)) = sum a + x + sum b;\n'
    'print (Int.toString (sum (foldl (fn (x, t) => add (t, x * 7919 mod 1009)) L (List.tabulate (3000, '
    'fn i => i)))));\nprint ((raise Fail "x") handle Fail s => s);\n',
    "script.fs": ': fib dup 2 < if else dup 1- recurse swap 2 - recurse + then ;\n'
        '20 fib . cr variable s : go n 0 do i 7919 * 1009 mod s @ 31 * + 1000003 mod s ! loop ; go s @ . cr\n'
    ': t s" abc" type 3.5e 2e f* f. ; t cr : e 1 throw ; \' e catch . cr bye\n',
    "script.pro": 'app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\nrev([], []).\n'
        'rev([H|T], R) :- rev(T, S), app(S, [H], R).\nnum(N, N, [N]) :- !.\n'
        'num(I, N, [I|T]) :- J is I + 1, num(J, N, T).\n'
    'queens(N, Q) :- num(1, N, L), sel(L, [], Q).\nsel([], Q, Q).\n'
    'sel(L, S, Q) :- pick(X, L, R), \\+ att(X, 1, S), sel(R, [X|S], Q).\npick(X, [X|T], T).\n'
    'pick(X, [H|T], [H|R]) :- pick(X, T, R).\n'
    'att(X, N, [Y|_]) :- (X is Y + N ; X is Y - N).\natt(X, N, [_|T]) :- M is N + 1, att(X, M, T).\n'
    'main(N) :- num(1, N, L), rev(L, R), write(R), nl, queens(8, Q), write(Q), nl, findall(X-Y, (pick(X, L, _), '
    'Y is X * X mod 17), P), msort(P, S), length(S, K), write(K), nl,\n'
    ' catch(atom_length(_, _), E, (E = error(F, _), write(F))), nl, atom_codes(A, "abc"), write(A), nl.\n',
    "script.erl": 'N = list_to_integer(hd(init:get_plain_arguments())), '
        'L = [I * 7919 rem 1009 || I <- lists:seq(1, N * 10)], M = lists:foldl(fun(X, A) -> maps:update_with(X, '
        'fun(V) -> V + 1 end, 1, A) end, #{}, L),'
    ' io:format(\"~p ~p ~p~n\", [maps:size(M), lists:sum(lists:usort(L)), erlang:phash2(lists:sort(L))]), '
    'P = self(), [spawn(fun() -> P ! {I, I * I} end) || I <- lists:seq(1, N)],'
    ' io:format(\"~p~n\", [lists:sum([receive {I, S} -> S end || I <- lists:seq(1, N)])]), io:format(\"~p~n\", '
    '[catch hd([])]), io:format(\"~p~n\", [binary:encode_hex(erlang:md5(term_to_binary(L)))]), halt().',
    "script.ml": 'module S = Map.Make (String)\nexception Found of int\n'
        'let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)\nlet count file =\n'
        '  let ic = open_in file in\n  let rec go m = match input_line ic with\n'
    '    | l -> go (List.fold_left (fun m w -> S.update w (function None -> Some 1 | Some n -> Some (n + 1)) m) m '
    '(String.split_on_char \' \' l))\n    | exception End_of_file -> m in go S.empty\n'
    'let main () = let m = count Sys.argv.(1) in Printf.printf "%d %d %d\\n'
    '" (S.cardinal m) (S.fold (fun w n s -> (s * 31 + n * String.length w) mod 1000003) m 0) (fib 20);\n'
    '  (try S.iter (fun _ n -> if n = 7 then raise (Found n)) m with Found n -> Printf.printf "%d %.3f\\n'
    '" n (sqrt (float n)));\n  let h = Hashtbl.create 9 in for i = 1 to 5000 do Hashtbl.replace h (i mod 701) i '
    'done; print_int (Hashtbl.length h)\nlet () = if Array.length Sys.argv = 2 then main ()\n',
    "script.pas": 'program x;\n{$mode objfpc}\nuses sysutils;\ntype t = class a: array[0..15] of integer; '
        'function f(n: integer): integer; virtual; end;\nfunction t.f(n: integer): integer;\nvar i, r: integer;\n'
        'begin\n  r := 0;\n'
    '  for i := 0 to n do case a[i and 15] of 0: r := r + i; 1..3: r := r * 3; 4, 7: r := r xor i; '
    'else dec(r) end;\n  result := r\nend;\nvar s: string; o: t; i: integer;\nbegin\n  o := t.create;\n'
    '  for i := 0 to 15 do o.a[i] := i mod 9;\n  try s := inttostr(o.f(1000)); '
    'if length(s) > 3 then raise exception.create(s) except on e: exception do writeln(e.message) end;\n'
    '  writeln(s:20, 3.5:8:2)\nend.\n',
    "script.adb": 'with Ada.Text_IO; use Ada.Text_IO;\nwith Ada.Command_Line;\n'
        'with Ada.Containers.Indefinite_Ordered_Maps;\nprocedure Script is\n'
        '   package M is new Ada.Containers.Indefinite_Ordered_Maps (String, Integer);\n   N : M.Map; '
        'F : File_Type; Sum : Long_Long_Integer := 0;\n'
    '   procedure Add (W : String) is begin\n      if W = "" then raise Constraint_Error; '
    'end if;\n      if N.Contains (W) then N.Replace (W, N.Element (W) + 1); else N.Insert (W, 1); '
    'end if;\n   end Add;\nbegin\n   Open (F, In_File, Ada.Command_Line.Argument (1));\n'
    '   while not End_Of_File (F) loop\n      declare L : constant String := Get_Line (F); '
    'From : Integer := L\'First; begin\n         for I in L\'Range loop\n            if L (I) = \' \' then\n'
    '               begin Add (L (From .. I - 1)); exception when Constraint_Error => Sum := Sum + 1; '
    'end;\n               From := I + 1;\n            end if;\n         end loop;\n      end;\n   end loop;\n'
    '   for C in N.Iterate loop Sum := (Sum * 31 + Long_Long_Integer (M.Element (C) * M.Key (C)\'Length)) mod '
    '1000003; end loop;\n'
    '   Put_Line (Integer\'Image (Integer (N.Length)) & Sum\'Image & Float\'Image (Float (Sum) / 7.0));\n   begin\n'
    '      Open (F, In_File, "nothing");\n   exception when others => Put_Line ("no file");\n   end;\nend Script;\n',
    "bad.adb": "procedure Bad is X : Integer := \"a\"; begin Y := 1; end Bad;\n", "bad.f90": "program b\n integer :: i\n"
        " i = 'a' + foo(\n end\n",
    "script.f90": 'program p\n implicit none\n integer :: n, i, j\n real(8), allocatable :: a(:,:), b(:,:)\n'
        ' character(20) :: s\n read(*,*) n\n allocate(a(60,60), b(60,60))\n do i = 1, 60\n  do j = 1, 60\n'
        '   a(i,j) = sin(i * 0.7d0 + j)\n  end do\n end do\n b = matmul(a, transpose(a))\n'
    ' print *, sum(b), maxval(b), minloc(b), count(b > 1)\n do i = 1, n\n'
    '  write(s, "(i8,f10.3)") i, a(mod(i,60)+1, 3)\n  read(s, "(i8,f10.3)") j, b(1,1)\n'
    '  if (mod(i, n / 5) == 0) print "(a,1x,es12.4,l2)", s, b(1,1), j > 7\n end do\n'
    ' open(9, file="scratch.f", form="unformatted")\n write(9) a\n rewind(9)\n read(9) b\n'
    ' print *, all(a == b), index(s, "."), reshape(a(1:2,1:2), [4])\n read(s, "(i2)", iostat=i) j\n'
    ' print *, i /= 0\n close(9, status="delete")\nend program\n',
    "script.d": 'import std.stdio, std.algorithm, std.array, std.string, std.conv, std.exception;\n'
        'void main(string[] args) {\n  int[string] n; foreach (line; File(args[1]).byLine) foreach (w; '
        'line.split) n[w.idup]++;\n'
    '  auto k = n.keys.sort!((a, b) => n[a] != n[b] ? n[a] > n[b] : a < b).array; '
    'writeln(k.length, " ", k[0 .. 5], " ", k.map!(w => n[w] * w.length).sum);\n'
    '  writeln(k.filter!(w => w.startsWith("un", "in") && w.endsWith("s")).count);\n'
    '  try { to!int(k[0]); } catch (ConvException e) { writeln(e.msg); '
    '} writefln("%08.3f %s", k.length / 7.0, collectException(enforce(false, "x")).msg);\n}\n',
    "script.rs": 'use std::collections::HashMap;\nuse std::fmt;\n#[derive(Debug, Clone)]\n'
        'enum T { A(i32), B { x: String }, C }\nimpl fmt::Display for T { fn fmt(&self, '
        'f: &mut fmt::Formatter) -> fmt::Result { match self { T::A(n) => write!(f, "{}", n), '
        'T::B { x } => write!(f, "<{}>", x), T::C => Ok(()) } } }\n'
    'fn main() { let mut m: HashMap<String, Vec<T>> = HashMap::new(); '
    'for i in 0..100 { m.entry(format!("{}", i % 7)).or_default().push(if i % 3 == 0 { T::A(i) } else if i % 3 == '
    '1 { T::B { x: i.to_string() } } else { T::C }); }\n'
    '  let mut k: Vec<_> = m.into_iter().collect(); k.sort_by(|a, b| a.0.cmp(&b.0)); '
    'for (a, b) in &k { println!("{} {} {:?}", a, b.iter().map(|t| t.to_string()).collect::<String>(), b.last()); '
    '} }\n',
    "grammar.y": "%token N ID IF ELSE\n%left '+' '-'\n%left '*'\n%%\np: | p s ';' ;\n"
        "s: e | IF e s | IF e s ELSE s | '{' p '}' ;\ne: N { $$ = $1; } | ID | e '+' e { $$ = $1 + $3; "
        "} | e '-' e | e '*' e | '(' e ')' | ID '(' l ')' ;\nl: e | l ',' e ;\n%%\n",
    "script.m4": "define(`loop', `ifelse(eval($1 > 0), 1, `eval($1 * $1 % 17)`'loop(eval($1 - 1))')')dnl\nloop(N)\n"
        "define(`rev', `ifelse(len(`$1'), 0, , `rev(substr(`$1', 1))`'substr(`$1', 0, 1)')')rev(abcdefghijkl)\n"
        "patsubst(`hello world', `\\w+', `<\\&>') translit(abc, a-c, x-z) format(`%05d', N)\n"
        "syscmd(echo N)sysval undivert(script.sh)\n",
    "script.cmake": 'set(s 0)\nforeach(i RANGE ${N})\n  math(EXPR s "(${s} * 31 + ${i}) % 1000003")\n'
        '  if(i MATCHES "^1(.)3$")\n    list(APPEND l ${CMAKE_MATCH_1})\n  endif()\nendforeach()\nlist(SORT l)\n'
        'string(REGEX REPLACE "([0-9])" "<\\\\1>" r "${s}")\nmessage("${s} ${l} ${r}")\n'
        'file(READ data1.json j LIMIT 9)\nstring(JSON x GET [[{"a": [1, {"b": 2}]}]] a 1 b)\nfunction(f n)\n'
        '  if(n GREATER 0)\n    math(EXPR m "${n} - 1")\n    f(${m})\n  endif()\nendfunction()\nf(200)\n'
        'string(SHA1 h "${s}")\nmessage("${x} ${h}")\nfile(GLOB g *.c)\nlist(LENGTH g n)\nmessage("${n}")\n',
    "design.v": "module top(input clk, input [7:0] a, input [7:0] b, output reg [15:0] q, output reg [3:0] s);\n"
        " always @(posedge clk) begin\n  case (a[3:0]) 4'd0: q <= a * b; 4'd1: q <= a + b; "
        "4'd2: q <= {a, b} >> b[2:0]; 4'd7: q <= q - a; default: q <= q ^ {b, a}; "
        "endcase\n  s <= s + (a > b) + (&b);\n end\nendmodule\n",
    "script.v": "module tb; parameter N = 100; reg clk = 0; reg [7:0] a = 1, b = 3; wire [15:0] q; wire [3:0] s; "
        "integer i; reg [31:0] h = 0;\n top t(clk, a, b, q, s);\n initial begin for (i = 0; i < N; "
        "i = i + 1) begin a = a * 5 + 1; b = b + a; #1 clk = 1; #1 clk = 0; h = h * 31 + q; "
        "end $display(\"%h %d %b\", h, q, s); $finish; end\nendmodule\n"
    "module top(input clk, input [7:0] a, input [7:0] b, output reg [15:0] q, output reg [3:0] s);\n"
    " initial begin q = 0; s = 0; end\n always @(posedge clk) begin case (a[3:0]) 4'd0: q <= a * b; "
    "4'd1: q <= a + b; default: q <= q ^ {b, a}; endcase s <= s + (a > b); end\nendmodule\n",
    "script.vhdl": "library ieee; use ieee.std_logic_1164.all; "
        "use ieee.numeric_std.all;\nentity tb is end;\narchitecture a of tb is signal clk : std_logic := '0'; "
        "signal q : unsigned(15 downto 0) := x\"0001\";\nbegin\n clk <= not clk after 5 ns;\n"
        " process(clk) begin if rising_edge(clk) then q <= (q(14 downto 0) & '0') xor resize(q * 3, 16); end if; "
        "end process;\n process begin wait for 4 us; report integer'image(to_integer(q)); "
        "assert q /= 0 report \"zero\" severity warning; end process;\nend;\n",
}
