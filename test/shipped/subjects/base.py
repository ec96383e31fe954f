# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shells, interpreters, tools of every system, and its libraries."""
from .model import CODE, Subject

SUBJECTS = {
    "bash": Subject("bash", "/usr/bin/bash", "$P script.bash $N"),
    "dash": Subject("dash", "/usr/bin/dash", "$P script.sh $N"),
    "perl": Subject("perl-base", "/usr/bin/perl", "$P script.pl words$N.txt"),
    "python3": Subject("python3.11-minimal", "/usr/bin/python3.11", "$P -S script.py words$N.txt",
                       environment={"PYTHONHOME": "/usr", "PYTHONHASHSEED": "0",
                                    "PYTHONDONTWRITEBYTECODE": "1"}),
    "git": Subject("git", "/usr/bin/git", "rm -rf repo; $P init -q repo; cp words*.txt source*.c repo; cd repo;"
                   " $P add .; $P commit -qm one; sed -i s/e/E/ *; $P diff | cksum; $P commit -qam two;"
                   " $P log -p --format=%s | cksum; $P gc -q; $P grep -c q.*z; "
                   "$P blame -s words$N.txt | cut -d')' -f2- | cksum",
                   environment={"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": "1000000000 +0000",
                                "GIT_COMMITTER_DATE": "1000000000 +0000", "GIT_AUTHOR_NAME": "a",
                                "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                                "GIT_COMMITTER_EMAIL": "a@b"}),
    "sqlite3": Subject("sqlite3", "/usr/bin/sqlite3", "$P :memory: < script.sql"),
    "make": Subject("make", "/usr/bin/make", "$P -f script.mk n=$N"),
    "grep": Subject("grep", "/usr/bin/grep", "$P -c 'a.*[qz]' words$N.txt; $P -oE '(in|un)[a-z]{3,}s' words$N.txt "
                    "| cksum;"
                    " $P -ivw 'zab' words$N.txt | cksum"),
    "sed": Subject("sed", "/usr/bin/sed", "$P -E 's/([a-z]+) ([a-z]+)/\\2 \\1/g; /q/{N;P;D}; "
                   "y/abc/xyz/' words$N.txt | cksum"),
    "mawk": Subject("mawk", "/usr/bin/mawk", "$P '{ n[$1]++; s += length($3); gsub(/a/, \"b\") } END "
                    "{ for (w in n) k += n[w] * length(w); print k, s }' words$N.txt"),
    "gawk": Subject("gawk", "/usr/bin/gawk", "$P '{ n[$1]++; s += length($3); gsub(/a+/, \"b\"); "
                    "t = t substr($2, 1, 1) } END "
                    "{ for (w in n) k += n[w] * length(w); print k, s, length(t) }' words$N.txt"),
    "tar": Subject("tar", "/usr/bin/tar", "$P --sort=name --mtime=@0 --owner=0 --group=0 -cf - words1.txt words2.txt "
                   "source1.c | cksum; $P -cf t.tar *.txt *.c; $P -tf t.tar; $P -xOf t.tar words$N.txt | cksum"),
    "gzip": Subject("gzip", "/usr/bin/gzip", "$P -nc words$N.txt > w.gz; cksum < w.gz; $P -dc w.gz | cksum"),
    "xz": Subject("xz-utils", "/usr/bin/xz", "$P -2 -T1 -c words$N.txt | tee w.xz | cksum; $P -dc w.xz | cksum"),
    "zstd": Subject("zstd", "/usr/bin/zstd", "$P -q -5 -c --single-thread words$N.txt | tee w.zst | cksum; "
                    "$P -q -dc w.zst | cksum"),
    "vim": Subject("vim", "/usr/bin/vim.basic", "$P -u NONE -Nes -c '%s/a\\(.\\)/\\1b/g' -c 'g/q/d' -c 'sort' "
                   "-c '%!cksum' -c '%p' -c 'q!' words$N.txt"),
    "ssh-keygen": Subject("openssh-client", "/usr/bin/ssh-keygen",
                        "rm -f k k.*; $P -q -t ed25519 -N '' -C c -f k; $P -lf k | wc -w; "
                          "$P -Y sign -f k -n x words$N.txt 2>&1 | wc -l; (printf 'c '; cat k.pub) > allowed; "
                          "$P -Y verify -f allowed -I c -n x -s words$N.txt.sig < words$N.txt | cut -d' ' -f1-4; "
                          "rm -f words*.sig"),
    "curl": Subject("curl", "/usr/bin/curl", "$P -s file://$(pwd)/words$N.txt | cksum; "
                    "$P -s file://$(pwd)/words[1-2].txt | cksum"),
    "openssl": Subject("openssl", "/usr/bin/openssl", "$P enc -aes-256-ctr -K 00 -iv 00 -in words$N.txt | $P dgst "
                       "-sha256; "
                       "$P genpkey -algorithm ed25519 | $P pkey -noout -text | wc -l"),
    "node": Subject("nodejs", "/usr/bin/node", "$P script.js words$N.txt"),
    "libruby": Subject("libruby3.1", f"{CODE}/libruby-3.1.so.3.1", "$P --disable-gems script.rb words$N.txt",
                       program="/usr/bin/ruby3.1"),
    "php": Subject("php8.2-cli", "/usr/bin/php8.2", "$P -n script.php words$N.txt"),
    "cc1": Subject("cpp-12", "/usr/lib/gcc/x86_64-linux-gnu/12/cc1", "$P -quiet -O$N source$N.c -o - | cksum"),
    "as": Subject("binutils-x86-64-linux-gnu", "/usr/bin/x86_64-linux-gnu-as",
                  "gcc -S -O1 source$N.c -o s.s; $P s.s -o s.o; cksum < s.o"),
    "ld": Subject("binutils-x86-64-linux-gnu", "/usr/bin/x86_64-linux-gnu-ld.bfd",
                  "gcc -c -O1 source$N.c -o s.o; $P -r s.o -o r.o; cksum < r.o; "
                  "$P --build-id=none -e main s.o -o s.exe 2>&1; cksum < s.exe"),
    "libcrypto": Subject("libssl3", f"{CODE}/libcrypto.so.3",
                         "for a in sha256 sha512 blake2b512 md5 sha3-256; do $P dgst -$a words$N.txt; done; "
                         "$P enc -aes-128-cbc -K 00 -iv 00 -in words$N.txt 2>/dev/null | $P dgst -sha1; "
                         "$P enc -chacha20 -K 00 -iv 00 -in words$N.txt 2>/dev/null | $P dgst -sha1; "
                         "$P prime 1000000007; "
                         "$P genrsa 1024 2>/dev/null > k.pem; $P dgst -sha256 -sign k.pem words1.txt > s; "
                         "$P rsa -in k.pem -pubout -out p.pem 2>/dev/null; "
                         "$P dgst -sha256 -verify p.pem -signature s words1.txt",
                         program="/usr/bin/openssl"),
    "libz": Subject("zlib1g", f"{CODE}/libz.so.1", "$P script_zlib.py words$N.txt", program="/usr/bin/python3.11",
                    environment={"PYTHONDONTWRITEBYTECODE": "1"}),
    "libstdc++": Subject("libstdc++6", f"{CODE}/libstdc++.so.6", "$P words$N.txt", program="./cxx"),
    "libsqlite3": Subject("libsqlite3-0", f"{CODE}/libsqlite3.so.0", "$P :memory: < script.sql",
                        program="/usr/bin/sqlite3"),
    "libpcre2": Subject("libpcre2-8-0", f"{CODE}/libpcre2-8.so.0",
                        "$P -cP '(?<=a)[qz]\\w+' words$N.txt; $P -oP '\\bun\\w+(?=s\\b)' words$N.txt | cksum",
                        program="/usr/bin/grep"),
    "libc": Subject("libc6", f"{CODE}/libc.so.6", "$P words$N.txt; $P words$N.txt | sort | cksum", program="./libc"),
}


PYTHON = r'''
import collections, json, re, sys
text = open(sys.argv[1]).read()
words = collections.Counter(re.findall(r"[a-z]+", text))
table = {w: [n, len(w), hash(len(w)) % 7] for w, n in words.items()}
class Node:
    def __init__(self, key): self.key, self.left, self.right = key, None, None
    def add(self, key):
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None: setattr(self, side, Node(key))
        else: child.add(key)
    def walk(self):
        if self.left: yield from self.left.walk()
        yield self.key
        if self.right: yield from self.right.walk()
root = Node("m")
for w in list(words)[:3000]: root.add(w)
print(len(json.dumps(json.loads(json.dumps(table)))), sum(len(w) for w in root.walk()))
for w, n in words.most_common(5): print(w, n)
'''

PERL = r'''
my (%n, @w); open F, shift or die;
while (<F>) { for (split /\W+/) { $n{lc $_}++ } s/(\w)(\w+)/$2$1/g; push @w, $_ if /q.*z/ }
print scalar(@w), " ", scalar(keys %n), "\n";
print "$_ $n{$_}\n" for (sort { $n{$b} <=> $n{$a} || $a cmp $b } keys %n)[0..9];
'''

BASH = r'''
declare -A n; while read -r a b c rest; do n[$a]=$(( ${n[$a]:-0} + 1 )); case $b in *q*) x+=${c^^};; esac
y=${rest//e/E}; z=$(( (z * 31 + ${#y}) % 1000003 )); done < <(head -$((3000 * $1)) words$1.txt)
echo ${#n[@]} ${#x} $z; f() { (( $1 < 2 )) && { r=$1; return; }; f $(( $1 - 1 )); local s=$r; f $(( $1 - 2 )); (( r += s )); }
f $(( 11 + $1 )); echo $r; printf '%s\n' "${!n[@]}" | sort | head -5
'''

SQL = r'''
CREATE TABLE t(w TEXT, n INTEGER); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<20000)
INSERT INTO t SELECT printf('%x', (i * 7919) % 65537), i FROM c; CREATE INDEX i ON t(w);
SELECT count(*), sum(n), max(w) FROM t WHERE w LIKE '%a%'; SELECT substr(w,1,1) k, sum(n) FROM t GROUP BY k ORDER BY k;
SELECT a.w, b.n FROM t a JOIN t b ON b.n = a.n + 17 WHERE a.w < '1' ORDER BY a.w LIMIT 20; UPDATE t SET n = n * 2 WHERE w > '8';
SELECT avg(n) FROM t;
'''

RUBY = r'''
text = File.read(ARGV[0]); n = Hash.new(0); text.scan(/[a-z]+/) { |w| n[w] += 1 }
puts n.size, n.sort_by { |w, c| [-c, w] }.first(5).inspect, text.lines.map { |l| l.split.map(&:reverse).join.sum }.sum
'''

PHP = r'''<?php
$text = file_get_contents($argv[1]); preg_match_all("/[a-z]+/", $text, $m); $n = array_count_values($m[0]);
uksort($n, fn($a, $b) => $n[$b] <=> $n[$a] ?: strcmp($a, $b)); echo count($n), " ", json_encode(array_slice($n, 0, 5)), "\n";
$s = 0; foreach ($m[0] as $i => $w) { $s = ($s * 31 + strlen(strrev(ucfirst($w))) + ($i % 7)) % 1000003; } echo $s, "\n";
echo crc32(serialize($n)), " ", strlen(preg_replace("/a(.)/", "$1a", $text)), "\n";
'''

NODE = r'''
const text = require("fs").readFileSync(process.argv[2], "utf8"), n = new Map();
for (const w of text.match(/[a-z]+/g)) n.set(w, (n.get(w) || 0) + 1);
console.log(n.size, [...n].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5));
console.log(JSON.stringify(JSON.parse(JSON.stringify([...n]))).length, text.replace(/a(.)/g, "$1a").split("q").length);
'''

ZLIB = r'''
import sys, zlib
data = open(sys.argv[1], "rb").read()
for level in (1, 6, 9):
    packed = zlib.compress(data, level)
    print(len(packed), zlib.adler32(packed), zlib.crc32(zlib.decompress(packed)))
'''

CXX = r'''
#include <algorithm>
#include <fstream>
#include <iostream>
#include <locale>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
int main(int, char **Argv) {
  std::ifstream In(Argv[1]);
  std::map<std::string, int> Count;
  std::string Word;
  std::ostringstream Out;
  int Thrown = 0;
  while (In >> Word) {
    ++Count[Word];
    try {
      if (Word.size() > 7) throw std::runtime_error(Word);
      Out << std::hex << Word.size() << ' ' << Word.at(4) << '\n';
    } catch (const std::exception &E) { Thrown += E.what()[0]; }
  }
  std::istringstream Back(Out.str());
  long Sum = 0; int N; char C;
  while (Back >> std::hex >> N >> C) Sum += N * C;
  std::cout << Count.size() << ' ' << Thrown << ' ' << Sum << ' ' << std::fixed << Sum / 7.0 << std::endl;
}
'''

LIBC = r'''
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int order(const void *A, const void *B) { return strcmp(*(char **)A, *(char **)B); }
static void *thread(void *X) { char *P = malloc(100); snprintf(P, 100, "%s", (char *)X); free(P); pthread_exit((void *)strlen(X)); }
static jmp_buf Back; static volatile int Signals;
static void handler(int S) { ++Signals; }
int main(int Argc, char **Argv) {
  FILE *F = fopen(Argv[1], "r"); char Line[1000]; char **All = malloc(8 * 300000); size_t N = 0; long Sum = 0;
  while (fgets(Line, sizeof Line, F)) { for (char *S, *W = strtok_r(Line, " \n", &S); W; W = strtok_r(0, " \n", &S)) All[N++] = strdup(W); }
  qsort(All, N, sizeof *All, order);
  for (size_t I = 0; I < N; ++I) { char B[64]; snprintf(B, 64, "%08.3f %s %zx", (double)I / 3, All[I], I); Sum += strlen(B) + strtol(B, 0, 10) + (long)strtod(B, 0); }
  regex_t R; regcomp(&R, "^(un|in).*s$", REG_EXTENDED); int M = 0; for (size_t I = 0; I < N; I += 7) M += !regexec(&R, All[I], 0, 0, 0);
  pthread_t T[4]; for (int I = 0; I < 4; ++I) pthread_create(T + I, 0, thread, All[I]);
  for (int I = 0; I < 4; ++I) { void *X; pthread_join(T[I], &X); Sum += (long)X; }
  signal(SIGUSR1, handler); for (int I = 0; I < 5; ++I) raise(SIGUSR1);
  if (!setjmp(Back)) longjmp(Back, 1);
  int S; if (!fork()) _exit(7); wait(&S); time_t When = 1000000000; strftime(Line, 100, "%c", gmtime(&When));
  printf("%zu %ld %d %d %d %s\n", N, Sum, M, Signals, WEXITSTATUS(S), Line);
}
'''

FILES = {
    "script.py": PYTHON, "script.pl": PERL, "script.bash": BASH, "script.sql": SQL, "script.rb": RUBY,
    "script.js": NODE, "script.php": PHP, "script_zlib.py": ZLIB, "cxx.cpp": CXX, "libc.c": LIBC,
    "script.sh": 'i=0; while read -r a b c; do case $a in u*s) i=$((i + 1));; esac; x=${b%e*}; '
                 's=$((s + ${#x})); done < words$1.txt; echo $i $s\n',
    "script.mk": "f = $(shell seq 1 $(n)00)\nall: $(f:%=t%)\n\t@echo $(words $^) $(firstword $(sort $(^:t%=x%)))\n"
                 "t%: ; @echo $(subst 1,one,$*) $(patsubst %5,%five,$*) $(filter %7,$(f))\n",
}
