# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Databases, programs of networks (files and this host alone), and version control."""
from .model import Subject, library

SVN = ("rm -rf r w; svnadmin create r; {} co -q file://$PWD/r w; cp words*.txt source*.c w; cd w; {} add -q *; "
       "{} ci -qm one; sed -i s/e/E/ words$N.txt; {} diff | tail -n+3 | cksum; {} ci -qm two; "
       "{} up; {} log -q | cut -d'|' -f1,2; {} cat -r1 words$N.txt | cksum; {} co -q file:///nowhere 2>&1 | head -2")
REDIS = ("$P --port 0 --unixsocket $PWD/s --save '' --daemonize no > l 2>&1 & for i in $(seq 99); "
         "do [ -S s ] && break; sleep 0.2; done; "
         "{ for i in $(seq $N00); do echo \"set k$i v$i\"; echo \"lpush l $i\"; "
         "echo \"zadd z $((i * 7 % 13)) m$i\"; echo \"hset h f$i $i\"; done; echo 'lrange l 0 9'; "
         "echo 'zrange z 0 -1'; "
         "echo 'sort l desc limit 0 5'; echo 'eval \"local s = 0 for i = 1, 100 do s = s + redis.call([[hget]], "
         "KEYS[1], [[f]] .. i) end return s\" 1 h'; echo 'incr k1'; echo dbsize; } | redis-cli -s s | cksum; "
         "rm -f s; kill %1; wait")
PG = ("rm -rf pg; mkdir pg; chmod 777 .; chmod 711 ..; chown nobody pg; U='runuser -u nobody --'; "
      "$U env HOME=$PWD/pg /usr/lib/postgresql/15/bin/initdb -D pg -A trust -N --no-instructions > l 2>&1; "
      "$U $P --single -D pg -j template1 < sql$N.sql 2>&1 | sed 's/^[^[]*\\[[0-9]*\\]//' | grep -v '^$\\|LOG:'")
WEB = ("sleep 1; for f in words$N.txt data$N.json nothing; do "
       "curl -s http://localhost:$PORT/$f | sed 's/<address>.*//' | cksum; done; "
       "curl -s -r 100-999 http://localhost:$PORT/words$N.txt | cksum; "
       "curl -sI http://localhost:$PORT/words1.txt | head -1; kill $!; wait")

SUBJECTS = {
    "redis": Subject("redis-tools", "/usr/bin/redis-server", REDIS, needs="redis-server"),
    "postgres": Subject("postgresql-15", "/usr/lib/postgresql/15/bin/postgres", PG.replace("$U $P", "cp $P p; $U ./p")),
    "mariadbd": Subject("mariadb-server-core", "/usr/sbin/mariadbd",
                        "rm -rf m o.txt; mkdir m; cat maria$N.sql | $P --no-defaults --bootstrap --user=root "
                        "--datadir=$PWD/m --lc-messages-dir=/usr/share/mysql 2>&1 | grep -v '^20\\|^$' ; "
                        "cat o.txt; rm -rf m"),
    "lmdb": Subject("lmdb-utils", "/usr/bin/mdb_load", "rm -rf m; mkdir m; { for i in $(seq $N000); "
                    "do echo $((i * 7919 % 10007)); echo v$i; done; } > t; $P -T m < t; mdb_dump m | cksum; "
                    "mdb_stat -a m; $P -T nothing < t 2>&1"),
    "tdb": library("libtdb1", "libtdb.so.1", "/usr/bin/tdbtool",
                   "rm -f x.tdb; { echo 'create x.tdb'; for i in $(seq $N00); "
                   "do echo \"insert k$((i * 7919 % 1009)) v$i\"; done; echo 'delete k7'; echo check; echo quit; "
                   "} | $P | tail -1; tdbdump x.tdb | sort | cksum; tdbdump script.sh 2>&1 | tail -1",
                   needs="tdb-tools"),
    "gdbm": library("libgdbm6", "libgdbm.so.6", "/usr/bin/gdbmtool",
                    "rm -f x.gdbm; { for i in $(seq $N00); do echo \"store k$((i * 7919 % 1009)) v$i\"; done; "
                    "echo count; echo 'delete k7'; echo list; echo 'fetch nothing'; "
                    "} | $P -n -q x.gdbm 2>&1 | sort | cksum; gdbm_dump x.gdbm - | wc -l",
                    needs="gdbmtool"),
    "db5.3": library("libdb5.3", "libdb-5.3.so", "/usr/bin/db5.3_load",
                     "rm -f x.db; for i in $(seq $N00); do echo $((i * 7919 % 1009)); echo v$i; done > t; "
                     "for k in btree hash; do rm -f x.db; $P -T -t $k -f t x.db; "
                     "db5.3_dump -p x.db | sort | cksum; db5.3_verify x.db; done; db5.3_stat -d x.db | tail -5; "
                     "$P -T -t btree -f t /nowhere/x 2>&1 | cut -d: -f2-",
                     needs="db5.3-util"),
    "rocksdb": library("librocksdb7.8", "librocksdb.so.7.8", "/usr/bin/ldb",
                       "rm -rf m; for i in $(seq $N00); do echo \"k$((i * 7919 % 1009)) ==> v$i\"; done > t; "
                       "$P --db=m load --create_if_missing < t 2>&1; $P --db=m scan | cksum; $P --db=m compact; "
                       "$P --db=m get k7; $P --db=m get nothing 2>&1",
                       needs="rocksdb-tools"),
    "memcached": Subject("memcached", "/usr/bin/memcached", "rm -f m.s; $P -u root -s $PWD/m.s & for i in $(seq "
                        "99); do [ -S m.s ] && break; sleep 0.2; done; { for i in $(seq $N00); "
                        "do printf 'set k%d 0 0 5\\r\\n%05d\\r\\n' $i $i; done; "
                        "printf 'get k7 k9 nothing\\r\\nincr k7 5\\r\\ndelete k9\\r\\nbad\\r\\nquit\\r\\n'; "
                        "} | socat -t5 - UNIX-CONNECT:m.s | cksum; kill %1; wait",
                        needs="socat"),
    "svn": Subject("subversion", "/usr/bin/svn", SVN.replace("{}", "$P")),
    "libsvn_subr": library("libsvn1", "libsvn_subr-1.so.1", "/usr/bin/svn",
                           SVN.replace("{}", "$P"), needs="subversion"),
    "libsvn_wc": library("libsvn1", "libsvn_wc-1.so.1", "/usr/bin/svn", SVN.replace("{}", "$P"), needs="subversion"),
    "libapr": library("libapr1", "libapr-1.so.0", "/usr/bin/svn", SVN.replace("{}", "$P"), needs="subversion"),
    "cvs": Subject("cvs", "/usr/bin/cvs", "rm -rf r w; export CVSROOT=$PWD/r; $P init; mkdir w; "
                   "cp words*.txt source*.c w; cd w; $P -Q import -m one x a b; cd ..; rm -rf w; $P -Q co -d w x; "
                   "cd w; sed -i s/e/E/ words$N.txt; $P -Q diff | tail -n+6 | cksum; $P -Q ci -m two; "
                   "$P -Q log words$N.txt | grep revis; $P -Q up -p -r1.1 words$N.txt | cksum; "
                   "$P -Q up nothing 2>&1",
                   needs="diffutils"),
    "rcs": Subject("rcs", "/usr/bin/rcs", "rm -rf RCS w w,v; cp words$N.txt w; "
                   "$P ci -q -l -t-x -d'2001-01-01 00:00Z' w; sed -i 's/e/E/; 7d' w; "
                   "$P ci -q -l -mtwo -d'2002-01-01 00:00Z' w; grep -v lock w,v | cksum; $P co -q -p1.1 w | cksum; "
                   "$P log w | grep '^rev\\|lines'; $P ci -q nothing 2>&1"),
    "fossil": Subject("fossil", "/usr/bin/fossil", "rm -rf x.f w; export USER=a; "
                      "$P init --date-override 2001-01-01 x.f > l; mkdir w; cd w; $P open -f ../x.f > ../l; "
                      "cp ../words*.txt ../source*.c .; $P add . | tail -1; "
                      "$P ci -m one --date-override 2001-02-01 --no-warnings > ../l; sed -i s/e/E/ words$N.txt; "
                      "$P changes --hash; $P ci -m two --hash --no-warnings --date-override 2001-03-01 > ../l; "
                      "$P cat -r prev words$N.txt | cksum; $P ls; $P changes; $P nothing 2>&1 | head -1; $P close"),
    "darcs": Subject("darcs", "/usr/bin/darcs", "rm -rf w; mkdir w; cd w; $P init > l; "
                     "cp ../words*.txt ../source*.c .; $P add -q *; $P record -qam one -A a; "
                     "sed -i s/e/E/ words$N.txt; $P diff | grep -v '^diff\\|^[-+][-+]' | cksum; "
                     "$P record -qam two -A a; $P log | grep '\\*'; $P unrecord -qa --last 1; $P whatsnew -s; "
                     "$P revert -qa; $P whatsnew; $P add nothing 2>&1"),
    "unison": Subject("unison", "/usr/bin/unison", "rm -rf a b .unison; mkdir a b; cp words*.txt a; "
                      "cp source*.c b; $P -ui text -batch -silent a b > l 2>&1; ls a b; "
                      "sed -i s/e/E/ a/words$N.txt; rm b/source1.c; $P -ui text -batch -silent a b > l 2>&1; "
                      "cat b/* | cksum; ls a; $P -ui text -batch nothing 2>&1 | head -1"),
    "hledger": Subject("hledger", "/usr/bin/hledger", "for i in $(seq $N0); do printf '2024-01-%02d x%d\\n"
                       "  assets:bank  %d.%02d EUR\\n  income:a%d\\n\\n"
                       "' $((i % 28 + 1)) $i $((i * 7)) $((i % 100)) $((i % 3)); done > j; $P -f j bal; "
                       "$P -f j reg | cksum; $P -f j print -O json | cksum; "
                       "echo '2024 x' | $P -f - bal 2>&1 | wc -l"),
    "nginx": Subject("nginx", "/usr/sbin/nginx", "export PORT=480$N3; printf 'daemon off; master_process off; "
                     "user root; pid %s/p; events {} http { access_log off; client_body_temp_path c; "
                     "proxy_temp_path x; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s; "
                     "server { listen 127.0.0.1:%s; root %s; gzip on; } }' $PWD $PORT $PWD > n.conf; "
                     "$P -e stderr -p $PWD -c n.conf 2> l & " + WEB,
                     needs="curl"),
    "lighttpd": Subject("lighttpd", "/usr/sbin/lighttpd", "export PORT=481$N3; printf 'server.document-root = "
                        "\"%s\"\\nserver.port = %s\\nserver.bind = \"127.0.0.1\"\\n' $PWD $PORT > l.conf; "
                        "$P -D -f l.conf 2> l & " + WEB,
                        needs="curl"),
    "apache2": Subject("apache2-bin", "/usr/sbin/apache2", "export PORT=482$N3; { for m in mpm_event authz_core; "
                       "do echo \"LoadModule ${m}_module /usr/lib/apache2/modules/mod_$m.so\"; done; "
                       "printf 'ServerName x\\nListen 127.0.0.1:%s\\nDocumentRoot %s\\nPidFile %s/a.pid\\n"
                       "ErrorLog %s/e\\nUser nobody\\nStartServers 1\\n' $PORT $PWD $PWD $PWD; } > a.conf; "
                       "chmod 755 . .. ; $P -X -f $PWD/a.conf 2> l & " + WEB,
                       needs="curl"),
    "haproxy": Subject("haproxy", "/usr/sbin/haproxy", "export PORT=483$N3; printf 'defaults\\n mode http\\n"
                       " timeout client 5s\\n timeout server 5s\\n timeout connect 5s\\nfrontend f\\n"
                       " bind 127.0.0.1:%s\\n http-request return status 200 content-type text/plain lf-string "
                       "\"%%[path,lower,crc32] %%[req.hdr(host),field(1,:)] %%[rand(1)]\"\\n' $PORT > h.cfg; "
                       "$P -f h.cfg > l 2>&1 & " + WEB,
                       needs="curl"),
    "wget": Subject("wget", "/usr/bin/wget", "PORT=484$N3; python3 -m http.server -b 127.0.0.1 $PORT > l 2>&1 & "
                    "sleep 2; rm -rf o; $P -q -O- http://127.0.0.1:$PORT/words$N.txt | cksum; "
                    "$P -q -r -l1 -A '*.json' -P o http://127.0.0.1:$PORT/; "
                    "find o -name '*.json' | sort | sed 's/484.3//'; "
                    "$P -nv http://127.0.0.1:$PORT/nothing 2>&1 | tail -1 | cut -d' ' -f3-; kill %1",
                    needs="python3"),
    "libcurl": library("libcurl4", "libcurl.so.4", "/usr/bin/curl",
                       "PORT=485$N3; python3 -m http.server -b 127.0.0.1 $PORT > l 2>&1 & sleep 2; "
                       "$P -s http://127.0.0.1:$PORT/words$N.txt | cksum; "
                       "$P -s file://$PWD/data[1-2].json | cksum; "
                       "$P -sI http://127.0.0.1:$PORT/data1.csv | head -1; "
                       "$P -s -w '%{http_code} %{size_download}' -d @words1.txt http://127.0.0.1:$PORT/ | tail -1; "
                       "$P -s nothing://x; echo $?; kill %1",
                       needs="curl python3"),
    "socat": Subject("socat", "/usr/bin/socat", "rm -f x.s; $P UNIX-LISTEN:x.s,fork EXEC:'tr a-z A-Z' & for i in "
                     "$(seq 99); do [ -S x.s ] && break; sleep 0.2; done; for i in $(seq $N); "
                     "do $P -t5 - UNIX-CONNECT:x.s < words$N.txt | cksum; done; "
                     "$P -u OPEN:words$N.txt STDOUT | cksum; $P - UNIX-CONNECT:nothing 2>&1 | cut -d' ' -f5-; "
                     "kill %1"),
    "named-checkzone": library("bind9-libs", "libdns-9*.so", "/usr/bin/named-checkzone",
                        "{ echo '$TTL 60'; echo '@ SOA ns a 1 2 3 4 5'; echo ' NS ns'; echo 'ns A 10.0.0.1'; "
                        "for i in $(seq $N00); do echo \"h$i A 10.0.$((i / 250)).$((i % 250))\"; "
                        "echo \"m$i MX $i h$i\"; echo \"t$i TXT \\\"x y\\\" z\"; done; } > z; "
                        "$P -D -o - x.y z | cksum; echo 'a A 1.2' >> z; $P x.y z",
                        needs="bind9-utils"),
    "unbound": Subject("unbound", "/usr/sbin/unbound-checkconf",
                       "{ echo 'server:'; for i in $(seq $N00); do echo \" local-zone: z$i.x static\"; "
                       "echo \" local-data: \\\"h.z$i.x A 10.0.0.$((i % 250))\\\"\"; done; echo ' chroot: \"\"'; "
                       "echo ' directory: \"/tmp\"'; echo ' trust-anchor-file: \"\"'; } > u.conf; $P u.conf; "
                       "for o in port num-threads do-ip4; do $P -o $o u.conf; done; echo 'zz' >> u.conf; "
                       "$P u.conf 2>&1 | cut -d: -f2-"),
    "tcpdump": Subject("tcpdump", "/usr/bin/tcpdump", "$P -nn -vv -X -r packets$N.pcap 2>/dev/null | cksum; "
                       "$P -nn -r packets$N.pcap 'udp port 53 or (ip[8] = 64 and src net 10.0.0.0/30)' 2>/dev/null "
                       "| wc -l; $P -d 'tcp and port 80' 2>&1; $P -r source1.c 2>&1"),
    "libpcap": library("libpcap0.8", "libpcap.so.0.8", "/usr/bin/tcpdump",
                       "for f in 'udp port 53' 'ip6 or arp' 'host 10.0.0.1 and not port 69' 'greater 80 && udp[8] "
                       "& 1 = 0' 'portrange 50-200'; do $P -nn -r packets$N.pcap \"$f\" 2>/dev/null | wc -l; "
                       "$P -O -d -y EN10MB \"$f\"; done; $P -d 'tcp nonsense' 2>&1",
                       needs="tcpdump"),
    "tshark": Subject("tshark", "/usr/bin/tshark", "$P -n -r packets$N.pcap 2>/dev/null | cksum; "
                      "$P -n -r packets$N.pcap -q -z io,phs 2>/dev/null; "
                      "$P -r source1.c 2>&1 | tail -1 | cut -c1-20", environment={
                        "WIRESHARK_RUN_FROM_BUILD_DIRECTORY":
                        ""}),
    "libwireshark": library("libwireshark16", "libwireshark.so.16", "/usr/bin/tshark",
                        "$P -n -V -r packets$N.pcap 2>/dev/null | grep -v Epoch | cksum; "
                        "$P -n -r packets$N.pcap -Y 'dns || tftp.opcode' -T fields -e frame.number -e udp.length "
                        "2>/dev/null | cksum; $P -r packets1.pcap -Y 'x y' 2>&1 | tail -2",
                        needs="tshark"),
    "slapd": library("libldap-2.5-0", "libldap-2.5.so.0", "/usr/sbin/slaptest",
                     "printf 'include /etc/ldap/schema/core.schema\\nmodulepath /usr/lib/ldap\\n"
                     "moduleload back_mdb\\ndatabase mdb\\nsuffix o=x\\ndirectory %s/ldap\\nindex cn eq\\n"
                     "' $PWD > s.conf; rm -rf ldap; mkdir ldap; "
                     "{ printf 'dn: o=x\\nobjectClass: organization\\no: x\\n\\n'; for i in $(seq $N0); "
                     "do printf 'dn: cn=c%d,o=x\\nobjectClass: person\\ncn: c%d\\nsn: s\\n\\n' $i $i; done; "
                     "} > x.ldif; slapadd -q -f s.conf -l x.ldif; slapcat -f s.conf | grep -c ^dn; "
                     "$P -u -f s.conf 2>&1",
                     needs="slapd"),
    "yara": library("libyara9", "libyara.so.9", "/usr/bin/yara",
                    "for i in $(seq $N0); do echo \"rule r$i { strings: \\$a = \\\"un\\\" nocase \\$b = "
                    "/[a-e]{3}q$((i % 7))?/ \\$c = { 6$((i % 10)) ?? 73 } condition: #a > $i and (\\$b or #c > 9) "
                    "}\"; done > y; $P y words$N.txt; $P -s y source1.c | cksum; echo 'rule x {' > z; $P z y 2>&1",
                    needs="yara"),
    "ssdeep": Subject("ssdeep", "/usr/bin/ssdeep", "$P -s words*.txt source*.c > h; "
                      "tail -n+2 h | sed \"s,$PWD,,\"; sed s/qu/zz/ words$N.txt > v; $P -s -b -m h v; "
                      "$P -s nothing 2>&1 | cksum"),
    "libnghttp2": library("libnghttp2-14", "libnghttp2.so.14", "/usr/bin/python3.11",
                        "$P -c 'import ctypes, zlib\nl = ctypes.CDLL(\"libnghttp2.so.14\")\n"
                        "class NV(ctypes.Structure): _fields_ = [(\"n\", ctypes.c_char_p), (\"v\", "
                        "ctypes.c_char_p), (\"nl\", ctypes.c_size_t), (\"vl\", ctypes.c_size_t), (\"f\", "
                        "ctypes.c_uint8)]\nd = ctypes.c_void_p(); l.nghttp2_hd_deflate_new(ctypes.byref(d), 4096); "
                        "l.nghttp2_hd_deflate_hd.restype = ctypes.c_ssize_t\n"
                        "b = ctypes.create_string_buffer(9999); "
                        "s = 0\nfor i in range($N * 300):\n    p = [(b\":path\", b\"/%d\" % i), "
                        "(b\"x-%d\" % (i % 9), b\"v%d\" % (i % 7)), (b\"cookie\", b\"abc\" * (i % 5))]\n"
                        "    a = (NV * 3)(*[NV(n, v, len(n), len(v), 0) for n, v in p]); "
                        "n = l.nghttp2_hd_deflate_hd(d, b, ctypes.c_size_t(9999), a, ctypes.c_size_t(3)); "
                        "s = zlib.crc32(b.raw[:n], s)\nprint(s, l.nghttp2_hd_deflate_hd(d, b, ctypes.c_size_t(1), "
                        "a, ctypes.c_size_t(3)) < 0)'"),
}


FILES = {
    **{f"sql{n}.sql": "create table t(w text, n int);\n\ninsert into t select md5(i::text), i from generate_series(1, " + f"{n}000" +
       ") i;\n\ncreate index i on t(w);\n\nselect count(*), sum(n), max(w) from t where w like '%a1%';\n\n"
       "select substr(w, 1, 1) k, sum(n) from t group by k order by k limit 9;\n\n"
       "select a.w from t a join t b on b.n = a.n + 17 where a.w < '1' order by a.w limit 5;\n\nselect 1 / 0;\n\n"
       "select regexp_replace(w, '[0-9]+', 'x', 'g') from t order by n limit 3;\n\n"
       "select n, rank() over (order by w) from t order by n limit 4;\n\nselect * from nothing;\n\n" for n in (1, 2)},
    **{f"maria{n}.sql": "create database d;\nuse d;\ncreate table t(w varchar(40), n int) engine=innodb;\n" + "".join(f"insert into t values (md5({i}), {i});\n" for i in range(100 * n)) +
       "create index i on t(w);\nupdate t set n = n * 2 where w > '8';\n"
       "select count(*), sum(n), max(w), (select group_concat(w order by n limit 3) from t) from t where w like "
       "'%a1%' into outfile '../o.txt';\n" for n in (1, 2)},
}
