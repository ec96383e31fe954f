# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tools for text, files and packages; editors."""
from .model import Subject, library

RPM = ("rm -rf r; mkdir -p r/BUILD; sed \"s/%COUNT/$N0/\" x.spec > y.spec; "
       "$P --define \"_topdir $PWD/r\" --define 'debug_package %nil' "
       "-bb y.spec > l 2>&1; echo $?; rpm2cpio r/RPMS/noarch/x-1-1.noarch.rpm | cpio -t 2>&1 | cksum")
DEB = "rm -rf d; mkdir -p d/DEBIAN d/usr; cp control d/DEBIAN; cp words$N.txt source1.c d/usr; "

SUBJECTS = {
    "sort": Subject("coreutils", "/usr/bin/sort", "$P words$N.txt | cksum; $P -k2,2r -k3 --parallel=1 words$N.txt "
                    "| cksum; $P -t, -k4n -k2 data$N.csv | cksum; "
                    "$P -uR --random-source=words1.txt words$N.txt | cksum; $P -c words1.txt 2>&1 | cut -d: -f2-"),
    "ls": Subject("coreutils", "/usr/bin/ls", "touch -d @1000000000 *.*; chmod 644 *.*; rm -rf m; mkdir m; cd m; "
                  "touch $(seq $N000); $P | cksum; $P -l --time-style=+%s -r -S ../*.txt | cut -d' ' -f1,2,3,4,5; "
                  "$P -RC ../m | cksum; $P nothing 2>&1 | cut -d: -f2-"),
    "factor": Subject("coreutils", "/usr/bin/factor", "seq 1000000007 $((1000000007 + $N * 300)) | $P | cksum; "
                      "$P 3402823669209384634637 18446744073709551617; $P x 2>&1 | cut -d: -f2-"),
    "pr": Subject("coreutils", "/usr/bin/pr", "$P -3 -h x -D y words$N.txt | cksum; "
                  "$P -mt words1.txt words2.txt | cksum"),
    "find": Subject("findutils", "/usr/bin/find", "$P /usr/share/doc/[a-b]* -name 'c*' -newermt 1990-01-01 -printf "
                    "'%f %s\\n' | sort | cksum; $P . -maxdepth $N -type f -size +10k -name '*.txt' -exec cksum {} "
                    "+ | sort; $P . -regex '.*[1-2].c' | sort; $P nothing 2>&1 | cut -d: -f2-"),
    "xargs": Subject("findutils", "/usr/bin/xargs", "head -$N00 words$N.txt | $P -n 50 echo | cksum; "
                     "seq $N0 | $P -P2 -I{} sh -c 'echo $(({} * 3))' | sort -n | cksum; "
                     "echo \"'\" | $P echo 2>&1 | cut -d: -f2-"),
    "ripgrep": Subject("ripgrep", "/usr/bin/rg", "$P -j1 -c 'a.*[qz]' words$N.txt; "
                       "$P -j1 -o '(in|un)[a-z]{3,}s' words$N.txt | cksum; "
                       "$P -j1 --sort path -n 'e.i' *.c *.md --json -m3 | grep -v elapsed | wc -l; "
                       "$P -j1 '(' words1.txt 2>&1"),
    "fd": Subject("fd-find", "/usr/bin/fdfind", "$P -j1 -u '^c.*[a-z]{4}$' /usr/share/doc | sort | cksum; "
                  "$P -j1 -u -e txt -S +1k . | sort; $P '[' 2>&1 | head -3"),
    "bat": Subject("bat", "/usr/bin/batcat", "$P --color=always --style=full --no-config source$N.c | cksum; "
                   "$P -l json --color=always -p data$N.json | cksum; $P nothing 2>&1 | head -1"),
    "ag": Subject("silversearcher-ag", "/usr/bin/ag", "$P --workers 1 'e.i' words$N.txt | cksum; "
                  "$P --workers 1 -c 'int' . | sort | cksum; $P -Q '(s' source$N.c | cksum"),
    "ugrep": Subject("ugrep", "/usr/bin/ugrep", "$P -J1 -c 'a.*[qz]' words$N.txt; "
                     "$P -J1 -o '(in|un)[a-z]{3,}s' words$N.txt | cksum; $P -J1 -Z2 'struct' source$N.c | cksum; "
                     "$P '(' words1.txt 2>&1 | head -3"),
    "agrep": Subject("tre-agrep", "/usr/bin/tre-agrep", "$P -c -1 'unas' words$N.txt; "
                     "$P -2 -s 'switch' source$N.c | cksum"),
    "libtre": library("libtre5", "libtre.so.5", "/usr/bin/tre-agrep",
                      "$P -1 -s '[a-c]uns?' words$N.txt | cksum; $P '(' words1.txt 2>&1",
                      needs="tre-agrep"),
    "original-awk": Subject("original-awk", "/usr/bin/original-awk",
                        "$P '{ n[$1]++; s += length($3); gsub(/a+/, \"b\"); "
                        "t = t substr($2, 1, 1) } END { for (w in n) k += n[w] * length(w); "
                        "print k, s, length(t) }' words$N.txt; $P '{' 2>&1 | wc -l"),
    "jq": Subject("jq", "/usr/bin/jq", "$P -c 'group_by(.kind) | map({k: .[0].kind, n: length, "
                  "s: (map(.size) | add)})' data$N.json; $P -S '[.[] | select(.weight > 0) | .tags | sort | unique "
                  "| join(\"-\") | ascii_upcase | test(\"A.B\")] | length' data$N.json; "
                  "$P '.[] | .x' data$N.json | wc -l; $P . data1.csv 2>&1"),
    "libonig": library("libonig5", "libonig.so.5", "/usr/bin/jq",
                       "head -$N00 words$N.txt > w; $P -Rc '[scan(\"(un|in)([a-z]+?)s\")] | length' w | cksum; "
                       "$P -R 'test(\"(?<=a)[qz]\\\\w+|(.)\\\\2\")' w | sort | uniq -c",
                       needs="jq"),
    "datamash": Subject("datamash", "/usr/bin/datamash", "$P -t, -H -s -g 3 mean 4 median 5 pvar 5 unique 2 < "
                        "data$N.csv | cksum; $P -t, -H transpose < data$N.csv | cksum; "
                        "$P -t, sum 2 < data$N.csv 2>&1"),
    "miller": Subject("miller", "/usr/bin/mlr", "$P --icsv --ojson sort -nr size data$N.csv", refused="Go"),
    "fzf": Subject("fzf", "/usr/bin/fzf", "$P -f uns < words$N.txt", refused="Go"),
    "dos2unix": Subject("dos2unix", "/usr/bin/dos2unix", "sed 's/$/\\r/' words$N.txt > w; $P -idub w; $P -q w; "
                        "cmp w words$N.txt; $P -n w /nowhere/x 2>&1 | tail -1 | wc -l"),
    "recode": Subject("recode", "/usr/bin/recode", "sed 's/qu/\\xe4\\xf6/' words$N.txt > w; "
                      "for t in utf8 html utf16 ibm437 utf7; do $P -f latin1..$t < w | cksum; done; "
                      "$P latin1..nothing < w 2>&1 | wc -l"),
    "iconv": Subject("libc-bin", "/usr/bin/iconv", "sed 's/qu/\\xe4\\xf6/' words$N.txt > w; "
                     "for t in utf8 utf16 utf7 ucs4 ascii//translit; do $P -f latin1 -t $t < w | cksum; done; "
                     "$P -f utf8 -t latin1 w 2>&1 | tail -1 | cut -d: -f2-"),
    "uchardet": Subject("uchardet", "/usr/bin/uchardet", "sed 's/qu/\\xc3\\xa4/' words$N.txt > w; "
                        "sed 's/qu/\\xe4/' words$N.txt > v; iconv -t utf16 words1.txt > u; "
                        "$P w v u words$N.txt image1.png"),
    "libuchardet": library("libuchardet0", "libuchardet.so.0", "/usr/bin/uchardet",
                        "for c in euc-jp shift-jis gb18030 koi8-r; do for i in $(seq $N0); "
                        "do printf '\\xe6\\x97\\xa5\\xe6\\x9c\\xac\\xe8\\xaa\\x9e\\xe3\\x81\\xa8 "
                        "\\xd0\\xb4\\xd0\\xbb '; done | iconv -c -f utf8 -t $c > w; $P w; done",
                        needs="uchardet"),
    "enca": Subject("enca", "/usr/bin/enca", "sed 's/qu/\\xc5\\xa1\\xc4\\x8d/' words$N.txt > w; $P -L cs w; "
                    "iconv -f utf8 -t iso8859-2 w > v; $P -L cs v words1.txt; $P -L xx v 2>&1"),
    "msgfmt": Subject("gettext", "/usr/bin/msgfmt", "for i in $(seq $N00); do printf 'msgid \"m%d %%s\"\\n"
                      "msgstr \"t%d %%s\"\\n' $i $i; done > m.po; $P --statistics m.po -o m.mo 2>&1 | tail -1; "
                      "cksum < m.mo; printf 'msgid \"a\"\\nmsgid \"b\"' > b.po; $P b.po -o b.mo 2>&1"),
    "xgettext": Subject("gettext", "/usr/bin/xgettext", "sed 's/ext(s, r)/gettext(\"a\" \"b\")/; "
                        "s/int i/char *q = _(\"i %d\\\\n\"), i/' source$N.c > x.c; "
                        "$P -k_ -o - x.c script.py script.pl | grep -v POT-C | cksum"),
    "libgettextsrc": library("gettext", "/usr/lib/x86_64-linux-gnu/libgettextsrc-0.21.so", "/usr/bin/msgmerge",
                        "for i in $(seq $N00); do printf 'msgid \"m%d x\"\\nmsgstr \"t%d\"\\n' $i $i; done > a.po; "
                        "sed 's/m\\(.*\\)7 x/n\\17 x/; s/\"t.*/\"\"/' a.po > b.po; $P -q a.po b.po | cksum"),
    "figlet": Subject("figlet", "/usr/bin/figlet", "head -$N0 words$N.txt | $P; $P -f nothing x 2>&1 | tail -2"),
    "toilet": Subject("toilet", "/usr/bin/toilet", "head -$N0 words$N.txt | $P -f term --filter border --gay | cksum"),
    "indent": Subject("indent", "/usr/bin/indent", "$P -kr -l60 < source$N.c | cksum; "
                      "$P -gnu < source$N.c | cksum; echo 'int f( {' | $P 2>&1"),
    "astyle": Subject("astyle", "/usr/bin/astyle", "$P --style=gnu -p -xC60 < source$N.c | cksum; "
                      "$P --style=java -j < cxx.cpp; $P --nothing < cxx.cpp 2>&1 | head -2"),
    "uncrustify": Subject("uncrustify", "/usr/bin/uncrustify",
                        "printf 'indent_columns=3\\nsp_arith=force\\nnl_if_brace=add\\n' > c; "
                        "$P -q -c c -l C < source$N.c | cksum; $P -q -c c -l CPP < cxx.cpp; "
                        "$P -c c -f nothing 2>&1 | grep -c open"),
    "hunspell": Subject("hunspell", "/usr/bin/hunspell", "head -$N words$N.txt | cut -c1-20 | $P -d en_US -a | "
                        "tail -n+2 | cksum; $P -d en_US -l /usr/share/common-licenses/GPL-$N | cksum; "
                        "$P -d xx -l 2>&1 < graph1.dot | tail -1",
                        needs="hunspell-en-us"),
    "libhunspell": library("libhunspell-1.7-0", "libhunspell-1.7.so.0", "/usr/bin/hunspell",
                        "head -$N words$N.txt | cut -c1-15 | $P -d en_US -a | tail -n+2 | cksum; "
                        "$P -d en_US -G /usr/share/common-licenses/GPL-$N | cksum",
                        needs="hunspell hunspell-en-us"),
    "libaspell": library("libaspell15", "libaspell.so.15", "/usr/bin/aspell",
                        "head -$N0 words$N.txt | $P -d en -a | tail -n+2 | cksum; "
                        "$P -d en list < /usr/share/common-licenses/GPL-$N | cksum; $P -d xx list 2>&1 | wc -l",
                        needs="aspell aspell-en"),
    "enscript": Subject("enscript", "/usr/bin/enscript", "$P -q -Ec -G -p - source$N.c | grep -v '^%%\\|Date\\|/f' "
                        "| cksum; $P -q -B -w html -p - source$N.c | cksum; $P -q nothing 2>&1"),
    "ed": Subject("ed", "/usr/bin/ed", "printf 'H\\n,s/a\\\\(.\\\\)/\\\\1b/g\\ng/q/d\\n5,9m0\\n1,20t$\\n?in?;+3p\\n"
                  ",n\\nxx\\nu\\nw w\\nq\\n' | $P -s words$N.txt 2>&1 | cksum; cksum < w"),
    "nvi": Subject("nvi", "/usr/bin/nvi", "cp words$N.txt w; printf 'set nomodeline\\n%%s/a\\\\(.\\\\)/\\\\1b/g\\n"
                   "g/q/d\\n5,9m0\\n1,20t$\\nw! v\\nq!\\n' | $P -e -s w; cksum < v"),
    "mg": Subject("mg", "/usr/bin/mg", "cp words$N.txt w; printf '(beginning-of-buffer)\\n(kill-line)\\n(yank)\\n"
                  "(yank)\\n(forward-word)\\n(capitalize-word)\\n(save-buffer)\\n' > s; "
                  "TERM=xterm script -qc 'timeout 9 $P -b s w' l > l2 < /dev/null; cksum < w"),
    "emacs": Subject("emacs-nox", "/usr/bin/emacs-nox", "$P -Q --batch -l script.el words$N.txt 2>&1; "
                     "$P -Q --batch --eval '(car 1)' 2>&1 | head -3"),
    "nvim": Subject("neovim", "/usr/bin/nvim", "$P -u NONE -i NONE -n --headless -es -c '%s/a\\(.\\)/\\1b/g' -c "
                    "'g/q/d' -c 'sort' -c 'lua local n = 0; for i = 1, "
                    "vim.fn.line(\"$\") do n = n + #vim.fn.getline(i) % 7 end; "
                    "print(n)' -c 'w! v' -c 'q!' words$N.txt; cksum < v"),
    "less": Subject("less", "/usr/bin/less", "$P -F words$N.txt < t0 | cksum; "
                    "LESSOPEN= TERM=dumb $P +/un -EX words$N.txt source$N.c | cksum; $P nothing 2>&1"),
    "file": Subject("file", "/usr/bin/file", "$P *[12].* | cksum; $P -i image$N.png sound1.wav packets1.pcap "
                    "data1.*; $P -z /usr/share/doc/bash/*.gz | cksum"),
    "libmagic": library("libmagic1", "libmagic.so.1", "/usr/bin/file",
                        "$P -b *[12].* /usr/bin/[a-c]* | cksum; "
                        "$P -i image$N.png sound1.wav packets1.pcap data1.*; $P nothing",
                        needs="file"),
    "dpkg-deb": Subject("dpkg", "/usr/bin/dpkg-deb", DEB + "$P -Zxz -b d x.deb > l; $P -c x.deb | awk '{ print $3, "
                        "$6 }'; "
                        "$P -I x.deb | tail -6; $P --fsys-tarfile x.deb | tar xO | cksum; $P -x source1.c e 2>&1; "
                        "echo $?"),
    "dpkg": Subject("dpkg", "/usr/bin/dpkg", "$P -s bash gzip | grep -v Conff | cksum; "
                    "$P -L bash coreutils | cksum; $P -S /usr/bin/[a-c]*sh 2>&1 | cksum; "
                    "for v in '1.0 lt 2' '1:0~a gt 1' '3-1 eq 3-1'; do $P --compare-versions $v; echo $?; done; "
                    "$P -i source1.c 2>&1 | tail -2"),
    "apt-cache": Subject("apt", "/usr/bin/apt-cache", "$P --no-generate show bash | head -$N0 | cksum; "
                        "$P depends emacs-nox gcc | cksum; $P show nothing 2>&1"),
    "libapt-pkg": library("libapt-pkg6.0", "libapt-pkg.so.6.0", "/usr/bin/apt-cache",
                        "$P showpkg bash gcc | cksum; $P search ^gcc-$N | cksum; $P rdepends nothing 2>&1"),
    "apt-ftparchive": Subject("apt-utils", "/usr/bin/apt-ftparchive", DEB +
                        "dpkg-deb -b d x.deb > l; $P packages . | grep -v Filename | "
                              "sed 's/[0-9a-f]\{32,\}/x/; s/^Size.*//' | cksum; $P contents . | cksum; "
                              "$P release . | grep -v Date | wc -l"),
    "rpmbuild": Subject("rpm", "/usr/bin/rpmbuild", RPM, needs="cpio"),
    "librpm": library("librpm9", "librpm.so.9", "/usr/bin/rpmbuild", RPM, needs="rpm cpio"),
    "rpm": Subject("rpm", "/usr/bin/rpm", "$P --eval '%{expand:%(echo a)}' --eval '%{lua: for i = 1, "
                   "$N0 do print(i * 7) end}'; $P -q --specfile x.spec; $P -qp source1.c 2>&1 | cut -c1-30"),
    "cut": Subject("coreutils", "/usr/bin/cut", "$P -d' ' -f2-4 words$N.txt | cksum; "
                   "$P -c3-9,12- words$N.txt | cksum; $P -f 2>&1 | wc -l"),
    "column": Subject("bsdextrautils", "/usr/bin/column", "$P -t -s, data$N.csv | cksum; "
                      "$P -J -s, -N a,b,c,d,e data$N.csv | cksum; $P -x < source$N.c | cksum; "
                      "$P -t -o : -R 2,4 -s, data$N.csv | cksum"),
    "xxd": Subject("xxd", "/usr/bin/xxd", "$P words$N.txt > h; cksum < h; $P -r h | cksum; "
                   "$P -p -c7 words$N.txt | cksum; $P -i image$N.png | cksum; $P -b source1.c | cksum; "
                   "$P nothing 2>&1"),
    "man": Subject("man-db", "/usr/bin/man", "MANWIDTH=78 $P -l man$N.1 | cksum; $P -l -Thtml man$N.1 | wc -l; "
                   "$P -w nothing 2>&1",
                   needs="groff"),
    "groff": Subject("groff-base", "/usr/bin/troff", "for i in $(seq $N0); do cat man$N.1; "
                     "done | $P -man -Tps | cksum; cat data$N.md | $P -Tutf8 | cksum; "
                     "echo '.so nothing' | $P -Tutf8 2>&1"),
    "col": Subject("bsdextrautils", "/usr/bin/col", "MANWIDTH=78 man -l man$N.1 | $P -bx | cksum; "
                   "$P -x < source$N.c | cksum",
                   needs="man-db"),
}

FILES = {
    "t0": "", "x.spec": "Name: x\nVersion: 1\nRelease: 1\nSummary: x\nLicense: x\nBuildArch: noarch\n%description\n"
        "x\n%install\n"
    "mkdir -p %{buildroot}/opt\nfor i in $(seq %COUNT); do seq $i > %{buildroot}/opt/$i; done\n%files\n/opt\n",
    "control": "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: x\n",
    "script.el": '(require \'seq) (with-temp-buffer (insert-file-contents (car command-line-args-left)) (let ((n '
        '(make-hash-table :test \'equal)) (k 0))\n'
    '(while (re-search-forward "\\\\<\\\\(un\\\\|in\\\\)?\\\\([a-z]+\\\\)" nil t) (let ((w (match-string 2))) '
    '(puthash w (1+ (gethash w n 0)) n)))\n'
    '(maphash (lambda (w c) (setq k (% (+ (* 31 k) (* c (length w))) 1000003))) n) (princ (format "%d %d\\n'
    '" (hash-table-count n) k)))\n'
    '(sort-lines nil (point-min) (point-max)) (upcase-region 1 500) (fill-region 1 5000) (princ (md5 '
    '(buffer-string))) (c-mode) (indent-region 1 200) (princ (buffer-size)))\n',
    **{f"man{n}.1": ".TH X 1\n.SH NAME\nx \\- does it\n" + "".join(
        f".SH PART {i}\n.TP\n.B \\-{chr(97 + i % 26)}\nis \\fIone\\fR of many that are filled into lines and adjusted {i}\n.PP\n"
        f"Text of {i} with \\(bu and\n.BR x (1).\n.nf\nlist\n.fi\n" for i in range(30 * n)) for n in (1, 2)},
}
