# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cryptography and digests."""
from .model import Subject, library

GPG = ("rm -rf g; mkdir -m 700 g; export GNUPGHOME=$PWD/g; "
       "X='--batch --yes --no-tty --passphrase x --pinentry-mode loopback'; "
       "$P $X -q --symmetric --s2k-count 1024 -o w.gpg words$N.txt 2>/dev/null; $P $X -q -d w.gpg | cksum; "
       "$P $X -q --quick-gen-key a@b ed25519 sign never 2>/dev/null; $P $X -q --clearsign -o s source$N.c; "
       "$P $X --verify s 2>&1 | grep -o 'Good signature.*'; sed -i s/int/unt/ s; "
       "$P $X --verify s 2>&1 | grep -o 'BAD sig.*'; "
       "for h in sha1 sha512 ripemd160; do $P --print-md $h words$N.txt; done; gpgconf --kill all")
TLS = ("printf 'cn = x\\nca\\nserial = 7$N\\nexpiration_days = 9\\nactivation_date = \"2020-01-01 00:00:00 UTC\"\\n"
       "' > t; "
       "for b in 768 1024; do $P --generate-privkey --bits $b --outfile k 2>/dev/null; "
       "$P --generate-self-signed --load-privkey k --template t --outfile c 2>/dev/null; "
       "$P -i --infile c | head -9 | grep -v Not; "
       "$P --verify-chain --infile c 2>&1 | tail -2 | head -1 | cut -c1-40; done; $P -i --infile source$N.c 2>&1")

SUBJECTS = {
    "gpg": Subject("gpg", "/usr/bin/gpg", GPG, needs="gpg-agent"),
    "libgcrypt": library("libgcrypt20", "libgcrypt.so.20", "/usr/bin/gpg", GPG, needs="gpg gpg-agent"),
    "certtool": Subject("gnutls-bin", "/usr/bin/certtool", TLS),
    "libgnutls": library("libgnutls30", "libgnutls.so.30", "/usr/bin/certtool", TLS, needs="gnutls-bin"),
    "libhogweed": library("libhogweed6", "libhogweed.so.6", "/usr/bin/certtool", TLS, needs="gnutls-bin"),
    "libgmp": library("libgmp10", "libgmp.so.10", "/usr/bin/certtool", TLS, needs="gnutls-bin"),
    "libtasn1": library("libtasn1-6", "libtasn1.so.6", "/usr/bin/certtool", TLS, needs="gnutls-bin"),
    "libnettle": library("libnettle8", "libnettle.so.8", "/usr/bin/nettle-hash",
                        "for a in md5 sha1 sha256 sha512 sha3_256 ripemd160 gosthash94 md2; "
                        "do $P -a $a < words$N.txt; done; $P -a x < t; echo $?",
                        needs="nettle-bin"),
    "nettle": Subject("nettle-bin", "/usr/bin/sexp-conv", "printf '(a (b #616263#) |YWJj| %s)' \"$(seq -s ' ' -f "
                      "'x%g' $N00)\" > s; $P -s canonical < s | tee c | cksum; $P -s advanced < c | cksum; "
                      "$P -s transport < c | cksum; printf '(a' | $P; echo $?"),
    "rhash": Subject("rhash", "/usr/bin/rhash", "$P -a words$N.txt | sed 's/.*pieces.*//' | cksum; "
                     "$P --sha3-256 -r . --include=c > l; $P --sha1 words*.txt > s; $P -c s; "
                     "sed -i 's/^...../00000/' s; $P -c s 2>&1 | tail -2"),
    "librhash": library("librhash0", "librhash.so.0", "/usr/bin/rhash",
                        "$P --tiger --whirlpool --gost12-256 --edonr512 --has160 --snefru256 --md4 --crc32c "
                        "words$N.txt",
                        needs="rhash"),
    "hashdeep": Subject("hashdeep", "/usr/bin/hashdeep", "$P -c md5,sha256,tiger,whirlpool words$N.txt | tail -1 | "
                        "cksum; $P -b words*.txt > k; $P -bvv -a -k k words$N.txt source1.c | tail -9"),
    "argon2": Subject("argon2", "/usr/bin/argon2", "printf x | $P saltsalt -id -t $N -m 10 -p 1 -e; "
                      "printf x | $P saltsalt -i -t 2 -m 9 -r; printf x | $P short 2>&1 | head -1"),
    "ccrypt": Subject("ccrypt", "/usr/bin/ccrypt", "rm -f w w.cpt; cp words$N.txt w; $P -q -e -K key w; "
                      "$P -q -c -K key w.cpt | cksum; $P -q -c -K kez w.cpt 2>&1; echo $?; $P -q -d -K key w.cpt; "
                      "cksum < w"),
    "signify": Subject("signify-openbsd", "/usr/bin/signify-openbsd",
                       "rm -f k.*; $P -G -n -p k.pub -s k.sec; $P -S -s k.sec -m words$N.txt -x s; "
                       "$P -V -p k.pub -m words$N.txt -x s; $P -V -p k.pub -m source1.c -x s 2>&1; echo $?"),
    "libssl": library("libssl3", "libssl.so.3", "/usr/bin/openssl",
                      "$P req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c -subj "
                      "/CN=x 2>/dev/null; "
                      "$P s_server -accept 47$N31 -key k -cert c -WWW > l 2>&1 & sleep 1; "
                      "for f in words$N.txt data1.json; do curl -sk https://localhost:47$N31/$f | cksum; done; "
                      "$P s_client -tls1_2 -connect localhost:47$N31 < l 2>/dev/null | grep -a 'Cipher is'; "
                      "kill $!; wait", needs="openssl curl"),
    "sha256sum": Subject("coreutils", "/usr/bin/sha256sum", "$P words*.txt data$N.* > s; cat s; $P -c s; "
                        "sed -i 2s/^../00/ s; $P -c s 2>&1; echo $?"),
    "b2sum": Subject("coreutils", "/usr/bin/b2sum", "$P -l 128 words$N.txt; $P --tag words$N.txt data$N.*"),
}

FILES = {}
