# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mathematics, solvers and provers, biology, and games that a computer plays."""
from .model import CODE, Subject, library

CNF = ("$P {} sat$N.cnf | grep -v '^c\\|ime' | grep -i 'sat\\|^s '; echo ${{PIPESTATUS[0]}}; "
       "$P {} unsat$N.cnf | grep -v '^c' | grep -i 'sat\\|^s '; $P {} script.sh 2>&1 | wc -l")
NUMPY = ("$P -c 'import numpy as n, numpy.linalg as l\na = n.sin(n.arange(6400.).reshape(80, 80)) + 9 * n.eye(80)\n"
         "for k in range($N * 5): b = a @ a.T + k; print(round(float(l.det(b / 99) * 1e9), 3), l.matrix_rank(b), "
         "abs(l.solve(a, b) - l.inv(a) @ b).max() < 1e-9, abs(l.svd(b)[1][0] - l.eigvalsh(b)[-1]) < 1e-6)\n"
         "try: l.inv(n.zeros((3, 3)))\nexcept l.LinAlgError as e: print(e)'")

SUBJECTS = {
    "bc": Subject("bc", "/usr/bin/bc", "sed s/NNN/$N00/ script.bc | $P -l 2>&1"),
    "dc": Subject("dc", "/usr/bin/dc", "echo '[la1+dsa*pla'$N'50>y]sy0sa1lyx 99k 2v p 2 500^ p 3 4 5 | p 1 0 / p' "
                  "| $P 2>&1"),
    "calc": Subject("calc", "/usr/bin/calc", "$P -q 'print pi(1e-50), fact($N00), ptest(2^89-1), factor(2^29-1), "
                    "sin(1/3), bernoulli(20); 1/0;' 2>&1"),
    "units": Subject("units", "/usr/bin/units", "for i in $(seq $N0); do echo \"$i furlong/fortnight\"; echo m/s; "
                     "echo \"tempF($i)\"; echo tempC; done | $P -q; $P '3 apples' m 2>&1"),
    "gp": Subject("pari-gp", "/usr/bin/gp", "echo 'print(factor(2^101-1)); print(ellap(ellinit([0,1]), "
                  "nextprime(10^'$N'2))); print(polroots(x^5-x-1)); print(lindep([Pi, Pi^2, 1.])); "
                  "print(bnfinit(x^3-x+7).no); print(matdet(matrix(20,20,i,j,i^j%97))); 1/0' | $P -q -f 2>&1"),
    "octave": library("octave", f"{CODE}/octave/7.3.0/liboctave.so.9", "/usr/bin/octave-cli",
                      "$P --norc --eval 'a = magic(4 + '$N') + eye(4 + '$N'); "
                      "printf(\"%.6f \", sort(abs(eig(a)))); disp(det(a) / 1e3); x = fft(sin(1:64)); "
                      "printf(\"%.6f\\n\", sum(abs(x))); s = regexprep(\"hello\", \"l+\", \"L\"), "
                      "sparse(a) \\ ones(rows(a), 1), [q, r] = qr(a); norm(q * r - a) < 1e-9, error(\"x\")' 2>&1",
                      needs="octave"),
    "liboctinterp": library("octave", f"{CODE}/octave/7.3.0/liboctinterp.so.10", "/usr/bin/octave-cli",
                        "$P --norc --eval 's = 0; for i = 1:'$N'000 if mod(i, 3) s += i; "
                        "else s = mod(s * 7, 1009); end; end; disp(s); c = cellfun(@(x) x * 2, {1, 2, 3}); "
                        "disp(c); try; error(\"a:b\", \"m\"); catch e; disp(e.message); end; x.a = {1, \"z\"}; "
                        "x, f = @(n) n + 1; disp(f(2)); undefined_thing' 2>&1"),
    "libR": library("r-base-core", "/usr/lib/R/lib/libR.so", "/usr/bin/Rscript",
                    "LD_LIBRARY_PATH= R_LD_LIBRARY_PATH=$D $P --vanilla -e 'x <- sin(1:('$N' * 500)); "
                    "print(summary(lm(x ~ seq_along(x)))$coefficients); m <- table(cut(x, 7), x > 0); print(m); "
                    "print(sapply(split(x, seq_along(x) %% 5), median)); "
                    "f <- function(n) if (n < 2) n else f(n - 1) + f(n - 2); print(f(15)); "
                    "s <- strsplit(readLines(\"words1.txt\", 50), \" \"); "
                    "print(head(sort(table(unlist(s)), decreasing = TRUE))); "
                    "print(tryCatch(stop(\"x\"), error = conditionMessage)); "
                    "print(regmatches(\"a1b22\", gregexpr(\"[0-9]+\", \"a1b22\")))'"),
    "libblas": library("libblas3", f"{CODE}/blas/libblas.so.3", "/usr/bin/python3.11", NUMPY, needs="python3-numpy"),
    "liblapack": library("liblapack3", f"{CODE}/lapack/liblapack.so.3", "/usr/bin/python3.11", NUMPY,
                        needs="python3-numpy"),
    "libyaml": library("libyaml-0-2", "libyaml-0.so.2", "/usr/bin/python3.11",
                       "$P -c 'import yaml, sys, zlib\nd = yaml.load(open(sys.argv[1]), yaml.CSafeLoader); "
                       "t = yaml.dump(d, Dumper=yaml.CSafeDumper); "
                       "print(len(d), len(t), zlib.crc32(t.encode()))\n"
                       "try: yaml.load(\"a: [b\", yaml.CSafeLoader)\n"
                       "except yaml.YAMLError as e: print(e)' data$N.yaml",
                       needs="python3-yaml"),
    "glpsol": library("libglpk40", "libglpk.so.40", "/usr/bin/glpsol",
                      "$P --lp problem$N.lp -o o | grep -v sed; grep -v Date o | cksum; "
                      "$P --lp problem1.lp --nomip --interior -o o | tail -3 | head -1; $P --lp script.sh | tail -2",
                      needs="glpk-utils"),
    "lp_solve": Subject("lp-solve", "/usr/bin/lp_solve", "{ echo 'max: 3a + 2b - 4c;'; for i in $(seq $N0); "
                        "do echo \"c$i: $i a + $((i * 7 % 5)) b + $((i % 3)) c <= $((i * 9));\"; done; "
                        "echo 'int a, b;'; } > x.lp; $P -S4 x.lp | grep -v '^Parse\\|seconds'; "
                        "$P -parse script.sh 2>&1 | tail -1"),
    "cbc": library("coinor-libcbc3", "libCbc.so.3", "/usr/bin/cbc",
                   "$P problem$N.lp solve solution o > l; cat o; $P script.sh solve 2>&1 | grep -c rror",
                   needs="coinor-cbc"),
    "libClp": library("coinor-libclp1", "libClp.so.1", "/usr/bin/cbc",
                      "$P problem$N.lp solve solution o > l; cat o; $P problem1.lp initialsolve solution o > l; "
                      "cat o",
                      needs="coinor-cbc"),
    "minisat": Subject("minisat", "/usr/bin/minisat", CNF.format("-verb=0", "-verb=0", "-verb=0")),
    "cadical": Subject("cadical", "/usr/bin/cadical", CNF.format("-q", "-q", "-q")),
    "picosat": Subject("picosat", "/usr/bin/picosat", CNF.format("", "", "")),
    "cvc4": library("libcvc4-7", "libcvc4.so.7", "/usr/bin/cvc4",
                    "$P --lang smt2 script$N.smt2 2>&1; $P --lang dimacs unsat1.cnf; "
                    "$P --lang smt2 script.sh 2>&1 | head -2",
                    needs="cvc4"),
    "z3": Subject("z3", "/usr/bin/z3", "$P script$N.smt2; $P unsat$N.cnf; $P -smt2 script.sh 2>&1 | tail -1"),
    "eprover": Subject("eprover", "/usr/bin/eprover", "$P --auto -s --proof-object script$N.p | grep -v '#.*time' "
                       "| cksum; $P -s script.sh 2>&1 | tail -1"),
    "SPASS": Subject("spass", "/usr/bin/SPASS", "$P -TPTP -PGiven=0 -DocProof script$N.p | grep -v ':[0-9][0-9]' | "
                     "tail -30"),
    "samtools": library("libhts3", "libhts.so.3", "/usr/bin/samtools",
                        "bwa index genome$N.fa 2>/dev/null; bwa mem genome$N.fa reads$N.fq 2>/dev/null | $P sort "
                        "--no-PG -O bam -o o.bam - ; $P view o.bam | cksum; $P index o.bam; "
                        "$P mpileup -f genome$N.fa o.bam 2>/dev/null | cksum; $P flagstat o.bam | head -4; "
                        "$P view script.sh 2>&1 | head -1",
                        needs="samtools bwa"),
    "samtools-program": Subject("samtools", "/usr/bin/samtools",
                        "bwa index genome$N.fa 2>/dev/null; bwa mem genome$N.fa reads$N.fq 2>/dev/null > o.sam; "
                        "$P sort --no-PG -o o.bam o.sam; $P stats o.bam | grep ^SN; $P depth o.bam | cksum; "
                        "$P consensus o.bam | cksum; $P faidx genome$N.fa chr:50-500",
                        needs="bwa"),
    "bwa": Subject("bwa", "/usr/bin/bwa", "$P index genome$N.fa 2>/dev/null; "
                   "$P mem genome$N.fa reads$N.fq 2>/dev/null | grep -v ^@PG | cksum; "
                   "$P aln genome$N.fa reads$N.fq 2>/dev/null > o.sai; "
                   "$P samse genome$N.fa o.sai reads$N.fq 2>/dev/null | grep -v ^@PG | cksum; "
                   "$P mem nothing reads1.fq 2>&1 | head -1"),
    "bowtie2-align": Subject("bowtie2", "/usr/bin/bowtie2-align-s",
                        "bowtie2-build -q genome$N.fa b; $P -x b -U reads$N.fq --quiet | grep -v ^@PG | cksum; "
                        "$P --local -x b -U reads1.fq 2>&1 >o | head -4"),
    "bowtie2-build": Subject("bowtie2", "/usr/bin/bowtie2-build-s",
                        "$P -q genome$N.fa b; cat b*.bt2 | cksum; $P -q script.sh b 2>&1 | head -2"),
    "blastn": Subject("ncbi-blast+", "/usr/bin/blastn", "head -$N0 family$N.fa > q.fa; "
                      "$P -query q.fa -subject genome$N.fa -outfmt 6 | cksum; "
                      "$P -query q.fa -subject family$N.fa -outfmt 7 | cksum"),
    "hmmer": Subject("hmmer", "/usr/bin/hmmbuild", "mafft --quiet --auto family$N.fa > a.fa; "
                     "$P --dna -o o x.hmm a.fa; grep -v DATE x.hmm | cksum; $P o script.sh 2>&1 | tail -2",
                     needs="mafft"),
    "nhmmer": Subject("hmmer", "/usr/bin/nhmmer", "mafft --quiet --auto family1.fa > a.fa; "
                      "hmmbuild --dna -o o x.hmm a.fa; $P --cpu 1 x.hmm genome$N.fa | grep -v '^#' | tail -n+3 | "
                      "cksum; $P --cpu 1 x.hmm family$N.fa | grep -c domain",
                      needs="mafft"),
    "muscle": Subject("muscle", "/usr/bin/muscle", "head -8 family$N.fa > f.fa; "
                      "$P -align f.fa -output o.fa -threads 1 2> l || $P -in f.fa -out o.fa -quiet; cksum < o.fa"),
    "clustalw": Subject("clustalw", "/usr/bin/clustalw", "$P -infile=family$N.fa -outfile=o.aln -quiet | tail -2; "
                        "cksum < o.aln; $P -infile=family1.fa -tree | tail -3; $P -infile=script.sh 2>&1 | tail -3"),
    "clustalo": Subject("clustalo", "/usr/bin/clustalo", "$P -i family$N.fa --threads 1 --outfmt=clu | cksum; "
                        "$P -i script.sh 2>&1 | tail -1"),
    "mummer": Subject("mummer", "/usr/bin/mummer", "$P -mum -b -c genome$N.fa family$N.fa | cksum; "
                      "$P -maxmatch -l 12 genome1.fa family1.fa | wc -l"),
    "minimap2": Subject("minimap2", "/usr/bin/minimap2", "$P -t1 -a genome$N.fa reads$N.fq 2>/dev/null | grep -v "
                        "^@PG | cksum; $P -t1 -x sr genome$N.fa reads$N.fq 2>/dev/null | cksum; "
                        "$P nothing 2>&1 | tail -1 | cut -c1-20"),
    "bedtools": Subject("bedtools", "/usr/bin/bedtools", "for i in $(seq $N00); do printf 'chr\\t%d\\t%d\\ta%d\\n"
                        "' $((i * 7919 % 9973)) $((i * 7919 % 9973 + i % 300 + 1)) $i; done > a.bed; "
                        "$P sort -i a.bed > b.bed; $P merge -i b.bed -c 4 -o count | cksum; "
                        "$P intersect -a a.bed -b b.bed -c | cksum; "
                        "$P getfasta -fi genome$N.fa -bed b.bed 2>/dev/null | cksum; "
                        "$P merge -i a.bed 2>&1 | head -1"),
    "seqtk": Subject("seqtk", "/usr/bin/seqtk", "$P seq -a -r reads$N.fq | cksum; "
                     "$P sample -s7 reads$N.fq 0.3 | cksum; $P fqchk reads$N.fq | head -5; $P comp genome$N.fa"),
    "fasttree": Subject("fasttree", "/usr/bin/fasttree", "$P -quiet -nt -gtr family$N.fa 2>/dev/null; "
                        "$P script.sh 2>&1 | tail -1"),
    "obabel": library("libopenbabel7", "libopenbabel.so.7", "/usr/bin/obabel",
                      "for i in $(seq $N0); do echo \"c1ccccc1C(=O)N$(printf 'C%.0s' $(seq $i))O m$i\"; "
                      "done > x.smi; $P x.smi -ocan 2>/dev/null | cksum; $P x.smi -oinchi 2>/dev/null | cksum; "
                      "$P x.smi -omol --gen2d 2>/dev/null | grep -v OpenBabel | cksum; "
                      "echo 'C1CC(' | $P -ismi -ocan 2>&1 | head -3",
                      needs="openbabel"),
    "qhull": library("libqhull-r8.0", "libqhull_r.so.8.0", "/usr/bin/qconvex",
                     "$P s n i < points$N.txt | grep -v 'CPU\\|command' | cksum; "
                     "qvoronoi p < points$N.txt | cksum; qdelaunay i < points$N.txt | cksum; "
                     "$P < script.sh 2>&1 | head -2",
                     needs="qhull-bin"),
    "proj": library("libproj25", "libproj.so.25", "/usr/bin/cs2cs",
                    "for i in $(seq $N00); do echo \"$((i * 37 % 80)) $((i * 91 % 170))\"; done > g; "
                    "for t in EPSG:3857 EPSG:32633 +proj=robin +proj=lcc\\ +lat_1=30\\ +lat_2=60; "
                    "do $P EPSG:4326 $t < g | cksum; done; $P EPSG:4326 EPSG:1 2>&1 < g | head -2",
                    needs="proj-bin proj-data"),
    "gdal": library("libgdal32", "libgdal.so.32", "/usr/bin/gdal_translate",
                    "$P -q -of GTiff -co COMPRESS=LZW image$N.png o.tif; cksum < o.tif; "
                    "gdalwarp -q -overwrite -ts 50 50 -r cubic o.tif w.tif; gdalinfo -checksum w.tif | grep Check; "
                    "$P -q -of XYZ image1.png /vsistdout/ | cksum; ogrinfo -q -al data$N.csv | cksum; "
                    "$P -q script.sh o 2>&1 | head -1",
                    needs="gdal-bin"),
    "geos": library("libgeos3.11.1", "libgeos.so.3.11.1", "/usr/bin/geosop",
                    "$P -a 'MULTIPOINT(1 1,7 2,3 9,4 4,8 8)' -f wkt convexHull; "
                    "$P -a \"POLYGON((0 0,$N9 0,9 $N9,0 9,0 0))\" -f wkt buffer 2; "
                    "$P -a 'POLYGON((0 0,9 0,9 9,0 9,0 0))' -b 'POLYGON((5 5,15 5,15 15,5 5))' -f wkt "
                    "intersection; $P -a 'POLYGON((0 0,9 9,9 0,0 9,0 0))' isValid; $P -a 'POINT(' area 2>&1",
                    needs="geos-bin"),
    "netcdf": library("libnetcdf19", "libnetcdf.so.19", "/usr/bin/ncgen",
                      "{ echo 'netcdf x { dimensions: t = '$N'00; variables: double v(t); v:units = \"m\"; "
                      "data: v = '; seq -s, $N00; echo '; }'; } > x.cdl; for k in 1 3 4; "
                      "do $P -k $k -o x.nc x.cdl; ncdump x.nc | cksum; done; nccopy -d 5 x.nc y.nc; "
                      "ncdump -h y.nc; $P -o z.nc script.sh 2>&1 | head -1",
                      needs="netcdf-bin"),
    "hdf5": library("libhdf5-103-1", "libhdf5_serial.so.103", "/usr/bin/h5dump",
                    "{ echo 'netcdf x { dimensions: t = '$N'00; variables: double v(t); data: v = '; seq -s, $N00; "
                    "echo '; }'; } > x.cdl; ncgen -k 3 -o x.nc x.cdl; $P x.nc | cksum; "
                    "h5repack -f GZIP=5 x.nc y.nc; $P -pH y.nc | grep -v OFFSET | cksum; "
                    "h5ls -v x.nc | grep -v Modif | wc -l; $P script.sh 2>&1",
                    needs="hdf5-tools netcdf-bin"),
    "ngspice": Subject("ngspice", "/usr/bin/ngspice", "printf 'x\\nv1 1 0 sin(0 5 1k)\\nr1 1 2 %s00\\nc1 2 0 1u\\n"
                       "d1 2 3 dm\\nr2 3 0 1k\\n.model dm d(is=1e-14)\\n.tran 20u 3m\\n.print tran v(2) v(3)\\n"
                       ".end\\n' $N > x.cir; $P -b x.cir 2>/dev/null | grep '^[0-9]' | cksum"),
    "gnuchess": Subject("gnuchess", "/usr/games/gnuchess", "printf 'manual\\ne2e4\\ne7e5\\ng1f3\\nshow board\\n"
                        "show moves\\nd1d8\\nquit\\n' | $P -x 2>&1 | tail -n+2 | grep -v '^ *$' | head -40; echo $N"),
    "stockfish": Subject("stockfish", "/usr/games/stockfish",
                        "printf 'setoption name Threads value 1\\nsetoption name Use NNUE value false\\n"
                        "position startpos moves e2e4\\ngo perft '$N'\\nposition startpos moves e2e4 c7c5\\n"
                        "go depth 7\\n' > u; (cat u; sleep 3; echo d; echo quit) | $P | grep -v 'info\\|by'"),
    "gnugo": Subject("gnugo", "/usr/games/gnugo", "{ for i in $(seq $N); do echo 'genmove black'; "
                     "echo 'genmove white'; done; echo showboard; echo 'play black zz'; echo final_score; "
                     "} | $P --mode gtp --boardsize 7 --level 1 --seed 1"),
    "toga2": Subject("toga2", "/usr/games/toga2", "(printf 'uci\\nposition startpos moves e2e4\\ngo depth '$N'\\n"
                     "'; sleep 2; echo quit) | $P | grep -v 'time\\|nps\\|currmove\\|cpuload'"),
    "sgt-solo": Subject("sgt-puzzles", "/usr/games/sgt-solo",
                        "$P --generate $N 2x3#7 | cksum; $P --generate 1 3x3da#$N; $P --generate 1 1x1 2>&1"),
    "sgt-loopy": Subject("sgt-puzzles", "/usr/games/sgt-loopy",
                        "$P --generate $N 5x5t0#3; $P --generate 2 4x4t2#$N; $P --generate 1 1x1 2>&1"),
    "qqwing": library("libqqwing2v5", "libqqwing.so.2", "/usr/bin/qqwing",
                      "$P --solve --one-line < sudoku$N.txt 2>&1; echo 12 | $P --solve",
                      needs="qqwing"),
    "primes": Subject("bsdgames", "/usr/games/primes", "$P 1000000 10$N0000 | cksum; "
                      "$P 4294000000 4294005000 | cksum; $P x 2>&1 | sed 's/.*: //'"),
    "number": Subject("bsdgames", "/usr/games/number", "seq $N00 | $P | cksum; $P 123456789.25; "
                      "$P x 2>&1 | sed 's/.*: //'"),
}


def _smt(n):
    return ("(set-logic QF_LIA)\n" + "".join(f"(declare-fun x{i} () Int)\n" for i in range(6 * n)) +
            "".join(f"(assert (and (> x{i} {i}) (< x{i} {50 + i}) (= (+ x{i} (* {i + 2} x{(i + 1) % (6 * n)})) (+ {i * 7 + 90} x{(i + 2) % (6 * n)} x{(i + 3) % (6 * n)}))))\n"
                    for i in range(0, 6 * n, 3)) + "(check-sat)\n(push)\n(assert (> (+ x0 x1) 500))\n(check-sat)\n"
                    "(pop)\n(exit)\n")


def _tptp(n):
    return ("fof(a,axiom,(![X,Y,Z]: m(m(X,Y),Z) = m(X,m(Y,Z)))).\nfof(b,axiom,(![X]: m(e,X) = X)).\n"
            "fof(c,axiom,(![X]: m(i(X),X) = e)).\n" +
            ("fof(d,conjecture,(![X]: m(X,e) = X)).\n" if n == 1 else
             "fof(d,axiom,(![X]: m(X,X) = e)).\nfof(f,conjecture,(![X,Y]: m(X,Y) = m(Y,X))).\n"))


FILES = {"script.bc": "scale = NNN\n4 * a(1)\ne(2.5)\ndefine f(n) {\n  if (n < 2) return (n)\n"
         "  return (f(n - 1) + f(n - 2))\n}\nf(16)\n2 ^ 900\nsqrt(2)\n1 / 0\nibase = 16\nFF\n",
         **{f"script{n}.smt2": _smt(n) for n in (1, 2)}, **{f"script{n}.p": _tptp(n) for n in (1, 2)},
         "sudoku1.txt": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
         "sudoku2.txt": "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9\n"
                        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n"}
