# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures, sound and video; documents and what typesets them."""
from .model import Subject, library

PDF = "[ -e d$N.pdf ] || gs -q -sDEVICE=pdfwrite -o d$N.pdf page$N.ps; "
MAGICK = ("{} image$N.png -resize 77x55 -rotate 13 -blur 1x2 -colorspace Gray -depth 8 rgb:- | cksum; "
          "{} image1.ppm image2.ppm -append -edge 1 -quantize RGB -colors 16 -depth 8 rgb:- | cksum; "
          "{} image$N.png -crop 20x20 -charcoal 1 -depth 8 ppm:- | cksum; "
          "{} script.sh x.png 2>&1 | head -1 | cut -c1-40")
TEX = "rm -f t.*; cp tex$N.tex t.tex; {} -interaction=batchmode t > l; "

SUBJECTS = {
    "libMagickCore": library("libmagickcore-6.q16-6", "libMagickCore-6.Q16.so.6", "/usr/bin/convert-im6.q16",
                             MAGICK.replace("{}", "$P"),
                        needs="imagemagick"),
    "libGraphicsMagick": library("libgraphicsmagick-q16-3", "/usr/lib/libGraphicsMagick-Q16.so.3", "/usr/bin/gm",
                                 MAGICK.replace("{}", "$P convert"),
                        needs="graphicsmagick"),
    "netpbm": library("libnetpbm11", "libnetpbm.so.11", "/usr/bin/pamscale",
                      "$P 2.3 image$N.ppm | pnmquant 32 2>/dev/null | ppmtogif 2>/dev/null | giftopnm | cksum; "
                      "pnmflip -r90 image$N.ppm | pnmtopng 2>/dev/null | pngtopam | cksum; "
                      "$P 2 script.sh 2>&1 | cut -d: -f2-",
                      needs="netpbm"),
    "pnmconvol": Subject("netpbm", "/usr/bin/pnmconvol", "$P -matrix=-1,-1,-1,-1,9,-1,-1,-1,-1 image$N.ppm | "
                        "cksum; $P -matrix=.2,.2,.2 image$N.ppm | cksum; $P x y 2>&1 | wc -l"),
    "optipng": Subject("optipng", "/usr/bin/optipng", "$P -quiet -o3 -force -out o.png image$N.png; cksum < o.png; "
                       "$P script.sh 2>&1 | head -3"),
    "pngcrush": Subject("pngcrush", "/usr/bin/pngcrush", "$P -q image$N.png o.png; cksum < o.png; "
                        "$P -q script.sh o.png 2>&1 | head -2"),
    "pngquant": Subject("pngquant", "/usr/bin/pngquant", "$P 32 --force -o o.png image$N.png; cksum < o.png; "
                        "$P - < script.sh 2>&1 | head -1", environment={"OMP_NUM_THREADS": "1"}),
    "libpng": library("libpng16-16", "libpng16.so.16", "/usr/bin/pngtopnm",
                      "$P image$N.png | cksum; pnmtopng image$N.ppm 2>/dev/null | cksum; "
                      "$P script.sh 2>&1 | head -1 | cut -d: -f2-",
                      needs="netpbm"),
    "libgif": Subject("gifsicle", "/usr/bin/gifsicle", "ppmquant 99 image$N.ppm 2>/dev/null | ppmtogif > a.gif "
                      "2>/dev/null; $P -O3 --resize 50x40 --rotate-90 -d 3 a.gif a.gif > o.gif; cksum < o.gif; "
                      "$P -I o.gif; $P script.sh 2>&1 | head -1",
                      needs="netpbm"),
    "cwebp": library("libwebp7", "libwebp.so.7", "/usr/bin/cwebp",
                     "$P -quiet -m 5 -q 70 image$N.png -o o.webp; cksum < o.webp; "
                     "dwebp -quiet o.webp -ppm -o - | cksum; $P -quiet -lossless image1.png -o o.webp; "
                     "dwebp -quiet o.webp -ppm -o - | cksum; $P -quiet script.sh -o o 2>&1 | head -1",
                     needs="webp"),
    "libjpeg": library("libjpeg62-turbo", "libjpeg.so.62", "/usr/bin/cjpeg",
                       "$P -quality 70 -optimize image$N.ppm > o.jpg; cksum < o.jpg; "
                       "djpeg -dct fast o.jpg | cksum; $P -progressive -arithmetic image$N.ppm > a.jpg; "
                       "djpeg a.jpg | cksum; $P script.sh 2>&1 | head -1",
                       needs="libjpeg-turbo-progs"),
    "jpegtran": Subject("libjpeg-turbo-progs", "/usr/bin/jpegtran",
                        "cjpeg image$N.ppm > o.jpg; $P -rotate 90 -trim -progressive o.jpg | cksum; "
                        "$P -crop 24x24 -grayscale o.jpg | cksum; $P script.sh 2>&1"),
    "jpegoptim": Subject("jpegoptim", "/usr/bin/jpegoptim", "cjpeg -quality 95 image$N.ppm > o.jpg; "
                        "$P -q -f -m60 --all-progressive o.jpg; cksum < o.jpg; $P script.sh 2>&1",
                        needs="libjpeg-turbo-progs"),
    "jhead": Subject("jhead", "/usr/bin/jhead", "cjpeg image$N.ppm > o.jpg; touch -d @1000000000 o.jpg; "
                     "$P -q -mkexif o.jpg; $P -v o.jpg | grep -v 'date\\|Date\\|size'; $P script.sh 2>&1",
                     needs="libjpeg-turbo-progs"),
    "exiv2": library("libexiv2-27", "libexiv2.so.27", "/usr/bin/exiv2",
                     "cp image$N.png o.png; for i in $(seq $N0); do echo \"set Exif.Image.Artist a$i\"; "
                     "echo \"set Xmp.dc.title lang=en b$i\"; echo \"add Iptc.Application2.Keywords String k$i\"; "
                     "done > c; $P -m c o.png; $P -pa o.png | cksum; $P -pX o.png | cksum; $P script.sh 2>&1",
                     needs="exiv2"),
    "libtiff": library("libtiff6", "libtiff.so.6", "/usr/bin/tiffcp",
                       "convert image$N.png i.tif; for c in lzw zip:2 packbits jpeg zstd; "
                       "do $P -c $c i.tif o.tif && tiff2bw o.tif b.tif && cksum < b.tif; done; "
                       "tiffinfo o.tif | tail -5; $P script.sh o 2>&1 | head -1",
                       needs="libtiff-tools imagemagick"),
    "rsvg-convert": Subject("librsvg2-bin", "/usr/bin/rsvg-convert",
                        "$P -w $N00 picture.svg | pngtopnm | cksum; $P -f svg picture.svg | wc -l; "
                        "echo '<svg' | $P 2>&1",
                        needs="netpbm fonts-dejavu-core"),
    "librsvg": library("librsvg2-2", "librsvg-2.so.2", "/usr/bin/convert-im6.q16",
                       "$P picture.svg -resize $N00% -depth 8 rgb:- | cksum",
                       needs="imagemagick libmagickcore-6.q16-6-extra"),
    "libcairo": library("libcairo2", "libcairo.so.2", "/usr/bin/rsvg-convert",
                        "$P -w $N00 picture.svg | pngtopnm | cksum; $P -f pdf picture.svg | wc -l; "
                        "$P -f ps picture.svg | grep -vc Date",
                        needs="librsvg2-bin netpbm"),
    "potrace": Subject("potrace", "/usr/bin/potrace", "convert image$N.png -threshold 50% b.pbm; "
                       "$P -s b.pbm -o - | cksum; $P -e b.pbm -o - | grep -v Date | cksum; "
                       "$P -b pgm b.pbm -o - | cksum; $P script.sh 2>&1",
                       needs="imagemagick"),
    "libopenjp2": library("libopenjp2-7", "libopenjp2.so.7", "/usr/bin/opj_compress",
                        "$P -i image$N.ppm -o o.j2k -r 9 > l; cksum < o.j2k; opj_decompress -i o.j2k -o o.ppm > l; "
                        "cksum < o.ppm; $P -i image$N.ppm -o o.jp2 -n 3 -p RLCP > l; opj_dump -i o.jp2 | wc -l",
                        needs="libopenjp2-tools"),
    "libde265": library("libde265-0", "libde265.so.0", "/usr/bin/heif-convert",
                        "heif-enc -q 50 image$N.png -o o.heic > l 2>&1; $P o.heic o.png > l; pngtopnm o.png | cksum",
                        needs="libheif-examples netpbm"),
    "libx265": library("libx265-199", "libx265.so.199", "/usr/bin/x265",
                       "$P --pools 1 -F1 --no-info --log-level none --preset medium --input video$N.y4m -o o.hevc "
                       "2>/dev/null; cksum < o.hevc; $P --pools 1 -F1 --no-info --log-level none --lossless "
                       "--input video1.y4m -o o.hevc 2>/dev/null; cksum < o.hevc",
                       needs="x265"),
    "libx264": library("libx264-164", "libx264.so.164", "/usr/bin/ffmpeg",
                       "$P -v error -threads 1 -i video$N.y4m -c:v libx264 -threads 1 -bitexact -f h264 - | cksum; "
                       "$P -v error -i video1.y4m -c:v libx264 -preset slow -crf 30 -threads 1 -bitexact -f "
                       "framemd5 - | tail -3",
                       needs="ffmpeg"),
    "x264": Subject("x264", "/usr/bin/x264", "$P --quiet --no-progress --threads 1 --preset medium -o o.264 "
                    "video$N.y4m; tail -c+900 o.264 | cksum; "
                    "$P --quiet --no-asm --threads 1 --qp 20 -o o.264 video1.y4m; tail -c+900 o.264 | cksum; "
                    "$P -o o.264 nothing.y4m 2>&1 | tail -1"),
    "libvpx": library("libvpx7", "libvpx.so.7", "/usr/bin/vpxenc",
                      "for c in vp8 vp9; do $P -q --codec=$c -t 1 --ivf --cpu-used=4 --cq-level=20 -o o.ivf "
                      "video$N.y4m; cksum < o.ivf; vpxdec --md5 --i420 o.ivf; done",
                      needs="vpx-tools"),
    "vpxdec": Subject("vpx-tools", "/usr/bin/vpxdec", "vpxenc -q --codec=vp9 -t 1 --ivf --cpu-used=4 -o o.ivf "
                      "video$N.y4m; $P --md5 --i420 o.ivf; $P --rawvideo -o - o.ivf | cksum; "
                      "$P script.sh 2>&1 | tail -1"),
    "libaom": library("libaom3", "libaom.so.3", "/usr/bin/aomenc",
                      "$P -q --limit=$N -t 1 --ivf --cpu-used=6 --row-mt=0 -o o.ivf video$N.y4m; cksum < o.ivf; "
                      "aomdec --md5 --rawvideo o.ivf",
                      needs="aom-tools"),
    "libdav1d": library("libdav1d6", "libdav1d.so.6", "/usr/bin/dav1d",
                        "aomenc -q -t 1 --ivf --cpu-used=8 -o o.ivf video$N.y4m; "
                        "$P -q --threads 1 -i o.ivf --muxer md5 -o -; "
                        "$P -q --threads 1 --cpumask 0 -i o.ivf --muxer md5 -o -; "
                        "$P -q -i script.sh -o o.y4m 2>&1 | head -1",
                        needs="dav1d aom-tools"),
    "libavcodec": library("libavcodec59", "libavcodec.so.59", "/usr/bin/ffmpeg",
                        "for c in mpeg4 mjpeg ffv1 huffyuv; do $P -v error -y -threads 1 -i video$N.y4m -c:v $c "
                        "-threads 1 -bitexact o.avi; cksum < o.avi; "
                        "$P -v error -threads 1 -i o.avi -f framemd5 - | tail -1; done; "
                          "for c in flac aac ac3 mp2; do $P -v error -y -i sound$N.wav -c:a $c -bitexact -f "
                          "matroska o.mka && $P -v error -i o.mka -bitexact -f md5 -; done; "
                          "$P -v error -i script.sh -f null - 2>&1", needs="ffmpeg"),
    "libavfilter": library("libavfilter8", "libavfilter.so.8", "/usr/bin/ffmpeg",
                        "$P -v error -filter_threads 1 -i video$N.y4m -vf "
                        "'scale=60:44,rotate=0.3,hue=h=40,unsharp,boxblur=1,eq=contrast=1.2' -bitexact -f md5 -; "
                        "$P -v error -i sound$N.wav -af 'aecho,highpass=300,volume=0.5,atempo=1.5' -bitexact -f "
                        "md5 -; $P -v error -i video1.y4m -vf nothing -f null - 2>&1 | head -1",
                        needs="ffmpeg"),
    "libavformat": library("libavformat59", "libavformat.so.59", "/usr/bin/ffmpeg",
                        "for f in mp4 matroska mpegts nut flv; do $P -v error -y -i video$N.y4m -i sound1.wav -c:v "
                        "mpeg4 -c:a mp2 -threads 1 -bitexact -fflags bitexact -f $f o.$f 2>&1; "
                        "$P -v error -i o.$f -c copy -f framemd5 - | cksum; done",
                        needs="ffmpeg"),
    "libswscale": library("libswscale6", "libswscale.so.6", "/usr/bin/ffmpeg",
                        "for f in rgb24 yuv422p gray10le nv12 yuva444p16be; do for s in bilinear lanczos; "
                        "do $P -v error -i video$N.y4m -vf scale=70:50:flags=$s,format=$f -f md5 -; done; done",
                        needs="ffmpeg"),
    "mkvmerge": Subject("mkvtoolnix", "/usr/bin/mkvmerge", "ffmpeg -v error -y -i sound$N.wav -bitexact o.flac; "
                        "$P -q --deterministic 1 -o o.mkv o.flac sound1.wav; cksum < o.mkv; "
                        "$P -i o.mkv | grep Track; $P -i script.sh",
                        needs="ffmpeg"),
    "flac": Subject("flac", "/usr/bin/flac", "$P -s -f -8 sound$N.wav -o o.flac; cksum < o.flac; "
                    "$P -s -d -c o.flac | cksum; $P -s -t script.sh 2>&1 | head -2"),
    "libFLAC": library("libflac12", "libFLAC.so.12", "/usr/bin/flac",
                       "$P -s -f -5 sound$N.wav -o o.flac; cksum < o.flac; $P -s -d -c o.flac | cksum; "
                       "$P -s -t script.sh 2>&1 | head -2",
                       needs="flac"),
    "lame": library("libmp3lame0", "libmp3lame.so.0", "/usr/bin/lame",
                    "$P -S -V 4 sound$N.wav o.mp3; cksum < o.mp3; $P -S --decode o.mp3 o.wav; cksum < o.wav; "
                    "$P -S -b 64 -m j sound1.wav o.mp3; cksum < o.mp3",
                    needs="lame"),
    "libopus": library("libopus0", "libopus.so.0", "/usr/bin/opusenc",
                       "$P --quiet --serial 1 --bitrate $N8 sound$N.wav o.opus; cksum < o.opus; "
                       "opusdec --quiet --no-dither o.opus - | cksum",
                       needs="opus-tools"),
    "libvorbis": library("libvorbis0a", "libvorbis.so.0", "/usr/bin/oggenc",
                        "$P -Q -s 1 -q $N sound$N.wav -o o.ogg; cksum < o.ogg; oggdec -Q -o - o.ogg | cksum; "
                        "oggdec -Q -o - script.sh 2>&1",
                        needs="vorbis-tools"),
    "sox": library("libsox3", "libsox.so.3", "/usr/bin/sox",
                   "$P -R -G sound$N.wav o.wav rate 22050 reverb 20 chorus 0.7 0.9 55 0.4 0.25 2 -t compand 0.3,1 "
                   "6:-70,-60,-20 -5 -90 0.2 trim 0 0.5; cksum < o.wav; $P -R sound1.wav -n stat 2>&1 | head -9; "
                   "$P script.sh o.wav 2>&1 | head -1",
                   needs="sox"),
    "speex": library("libspeex1", "libspeex.so.1", "/usr/bin/speexenc",
                     "sox -R sound$N.wav -r 8000 -c 1 s.wav; $P --quality 6 s.wav o.spx > l 2>&1; "
                     "speexdec o.spx o.wav > l 2>&1; cksum < o.wav",
                     needs="speex sox"),
    "libmpg123": library("libmpg123-0", "libmpg123.so.0", "/usr/bin/mpg123",
                        "lame -S sound$N.wav o.mp3; for c in generic sse x86-64 avx; "
                        "do $P -q --cpu $c -s o.mp3 | cksum; done; head -c 5000 o.mp3 | tail -c 4000 > h.mp3; "
                        "$P -q -s h.mp3 2>&1 | cksum",
                        needs="mpg123 lame"),
    "twolame": library("libtwolame0", "libtwolame.so.0", "/usr/bin/twolame",
                       "$P --quiet -b $N28 sound$N.wav o.mp2; cksum < o.mp2",
                       needs="twolame"),
    "wavpack": library("libwavpack1", "libwavpack.so.1", "/usr/bin/wavpack",
                       "$P -q -y -hx2 sound$N.wav o.wv; cksum < o.wv; wvunpack -q -y o.wv -o o.wav; cksum < o.wav; "
                       "$P -q -y script.sh 2>&1 | tail -1",
                       needs="wavpack"),
    "libespeak": library("libespeak-ng1", "libespeak-ng.so.1", "/usr/bin/espeak-ng",
                        "head -$N0 words$N.txt > w; $P -x -q -f w | cksum; $P --stdout -f script.sh | cksum; "
                        "$P -v nothing x 2>&1",
                        needs="espeak-ng espeak-ng-data"),
    "csound": library("libcsound64-6.0", "libcsound64.so.6.0", "/usr/bin/csound",
                      "$P -d -m0 -o o.wav -W script.csd --omacro:N=$N 2>/dev/null; tail -c+99 o.wav | cksum",
                      needs="csound"),
    "zbarimg": library("libzbar0", "libzbar.so.0", "/usr/bin/zbarimg",
                       "for i in $(seq $N0); do qrencode -o q$i.png text-$i-$RANDOM\"\"x; done; RANDOM=1; "
                       "for i in $(seq $N); do qrencode -o q.png text-$i-$RANDOM; $P -q q.png; done; "
                       "$P -q image1.png; echo $?",
                       needs="zbar-tools qrencode"),
    "qrencode": library("libqrencode4", "libqrencode.so.4", "/usr/bin/qrencode",
                        "for i in $(seq $N0); do head -$i words$N.txt | head -c 1500 | $P -t ASCII -l H -o - 2>&1; "
                        "done | cksum; head -c 9000 words1.txt | $P -o - 2>&1",
                        needs="qrencode"),
    "povray": Subject("povray", "/usr/bin/povray", "$P -D +I scene.pov +W$N00 +H80 +A0.3 +WT1 +FP +Oo.ppm "
                      "2>/dev/null; cksum < o.ppm; echo 'sphere {' > b.pov; $P -D +I b.pov 2>&1 | grep Error"),
    "libgs": library("libgs10", "libgs.so.10", "/usr/bin/gs",
                     "$P -q -sDEVICE=ppmraw -r$N0 -o - page$N.ps | cksum; "
                     "$P -q -sDEVICE=pdfwrite -o - page$N.ps | wc -l; "
                     "$P -q -sDEVICE=txtwrite -o - page$N.ps | cksum; "
                     "$P -q -dNODISPLAY -c '1 0 div' < script.sh 2>&1 | head -2",
                     needs="ghostscript"),
    "libpoppler": library("libpoppler126", "libpoppler.so.126", "/usr/bin/pdftoppm", PDF +
                        "$P -r $N0 d$N.pdf | cksum; pdftotext -layout d$N.pdf - | cksum; "
                        "pdftocairo -svg d$N.pdf - | wc -l; pdffonts d$N.pdf; $P script.sh 2>&1 | head -2",
                        needs="poppler-utils ghostscript"),
    "pdftotext": Subject("poppler-utils", "/usr/bin/pdftohtml", PDF +
                        "$P -stdout -noframes -i d$N.pdf | grep -v date | cksum; $P -xml -stdout d$N.pdf | cksum",
                        needs="ghostscript"),
    "mutool": Subject("mupdf-tools", "/usr/bin/mutool", PDF +
                      "$P draw -q -F ppm -r $N0 -o - d$N.pdf | cksum; $P draw -q -F stext -o - d$N.pdf | cksum; "
                      "$P clean -ggg -z d$N.pdf o.pdf; $P info d$N.pdf | tail -5; "
                      "$P draw -F ppm -o - picture.svg | cksum; $P info script.sh 2>&1 | head -2",
                      needs="ghostscript"),
    "qpdf": library("libqpdf29", "libqpdf.so.29", "/usr/bin/qpdf", PDF +
                    "$P --deterministic-id --object-streams=generate --linearize d$N.pdf o.pdf; "
                    "$P --check o.pdf | tail -2; $P --qdf --static-id d$N.pdf - | grep -av '/ID\\|Date' | wc -l; "
                    "$P --json d$N.pdf | wc -l; $P script.sh o 2>&1 | head -2",
                    needs="qpdf ghostscript"),
    "pdftex": Subject("texlive-binaries", "/usr/bin/pdftex", TEX.replace("{}",
                        "$P -progname=pdflatex -fmt pdflatex -output-format=dvi") +
                      "tail -c+60 t.dvi | cksum; grep -c hbox t.log; grep '^!' t.log; " + TEX.replace("{}", "$P -progname=pdflatex -fmt pdflatex") +
                      "cksum < t.pdf",
                      needs="texlive-latex-base",
                      environment={"SOURCE_DATE_EPOCH": "1000000000", "FORCE_SOURCE_DATE": "1"}),
    "dvips": Subject("texlive-binaries", "/usr/bin/dvips", "rm -f t.*; cp tex$N.tex t.tex; "
                     "pdflatex -interaction=batchmode -output-format=dvi t > l; "
                     "$P -q -o - t.dvi | grep -v '^%' | cksum; $P -q script.sh 2>&1 | tail -1",
                     needs="texlive-latex-base", environment={
                        "SOURCE_DATE_EPOCH":
                        "1000000000",
                        "FORCE_SOURCE_DATE":
                        "1"}),
    "bibtex": Subject("texlive-binaries", "/usr/bin/bibtex",
                      "for i in $(seq $N00); do echo \"@article{k$i, author = {A. Bc$i and D. Ef}, "
                      "title = {On {X} $i}, journal = J, year = $((1900 + i % 99))}\"; done > b.bib; "
                      "printf '\\\\citation{*}\\n\\\\bibstyle{alpha}\\n\\\\bibdata{b}\\n' > b.aux; $P b; "
                      "cksum < b.bbl",
                      needs="texlive-latex-base"),
    "xsltproc": library("libxslt1.1", "libxslt.so.1", "/usr/bin/xsltproc",
                        "$P script.xsl data$N.xml | cksum; $P script.xsl data1.html 2>&1 | tail -2",
                        needs="xsltproc"),
    "libxml2": library("libxml2", "libxml2.so.2", "/usr/bin/xmllint",
                       "$P --format data$N.xml | cksum; $P --xpath 'sum(//row[@kind=\"red\"]/size) + "
                       "count(//name[contains(., \"ab\")])' data$N.xml; "
                       "$P --html --recover data$N.html 2>/dev/null | cksum; $P --stream --noout data$N.xml; "
                       "$P --c14n data$N.xml | cksum; $P data1.html 2>&1 | tail -3; true",
                       needs="libxml2-utils"),
    "libexpat": library("libexpat1", "libexpat.so.1", "/usr/bin/python3.11",
                        "$P -c 'import xml.etree.ElementTree as E, sys\nt = E.parse(sys.argv[1]); "
                        "print(len(list(t.iter())), sum(int(e.text) for e in t.iter(\"size\")))\n"
                        "try: E.parse(\"data1.html\")\nexcept E.ParseError as e: print(e)' data$N.xml",
                        needs="python3.11-minimal"),
    "tidy": library("libtidy5deb1", "libtidy.so.5deb1", "/usr/bin/tidy",
                    "$P -q -i -asxhtml data$N.html 2>/dev/null | cksum; $P -q -e data$N.html 2>&1 | cksum; "
                    "$P -q -xml data$N.xml | cksum; $P nothing 2>&1",
                    needs="tidy"),
    "html2text": Subject("html2text", "/usr/bin/html2text", "$P -width 60 -style pretty data$N.html | cksum; "
                        "$P -nobs data1.md | cksum; $P nothing 2>&1"),
    "lynx": Subject("lynx", "/usr/bin/lynx", "$P -dump -width=70 data$N.html | cksum; "
                    "$P -dump -listonly data$N.html | wc -l; $P -dump nothing.html 2>&1 | tail -1 | cut -c1-30"),
    "w3m": Subject("w3m", "/usr/bin/w3m", "$P -dump -cols 70 data$N.html | cksum; "
                   "$P -dump_source data$N.html | cksum; $P -dump -T text/html data1.md | cksum"),
    "discount": library("libmarkdown2", "libmarkdown.so.2", "/usr/bin/markdown",
                        "$P data$N.md | cksum; $P -T -f toc,footnote data$N.md | cksum",
                        needs="discount"),
    "cmark": Subject("cmark", "/usr/bin/cmark", "for t in html xml man latex commonmark; "
                     "do $P -t $t data$N.md | cksum; done"),
    "catdoc": Subject("catdoc", "/usr/bin/catdoc", "{ echo '{\\rtf1\\ansi '; sed 's/$/\\\\par {\\\\b x}/' "
                      "words$N.txt; echo '}'; } > x.rtf; $P x.rtf | cksum; $P -a words$N.txt | cksum"),
    "graphviz": library("libgvc6", "libgvc.so.6", "/usr/bin/dot",
                        "$P -Tplain graph$N.dot | cksum; $P -Kneato -Tplain graph$N.dot | wc -l; "
                        "$P -Tsvg graph$N.dot | cksum; echo 'digraph {' | $P -Tplain 2>&1",
                        needs="graphviz"),
    "libcgraph": library("libcgraph6", "libcgraph.so.6", "/usr/bin/gvpr",
                        "$P 'BEG_G { int n = 0; } E { n = n + 1; $.x = n; } END_G { print(n, \" \", nNodes($G)); "
                        "}' graph$N.dot; tred graph$N.dot | cksum; ccomps -x graph$N.dot | cksum; "
                        "$P 'BEG {' graph1.dot 2>&1 | head -2",
                        needs="graphviz"),
    "doxygen": Subject("doxygen", "/usr/bin/doxygen", "printf 'INPUT=cxx.cpp source%s.c\\nEXTRACT_ALL=YES\\n"
                       "GENERATE_LATEX=NO\\nGENERATE_XML=YES\\nGENERATE_HTML=NO\\nQUIET=YES\\nXML_OUTPUT=dx\\n"
                       "' $N > D; $P D 2>/dev/null; cat dx/source*.xml dx/cxx*.xml | sed \"s,$PWD,,\" | cksum"),
    "pandoc": Subject("pandoc", "/usr/bin/pandoc", "for t in html latex rst plain native; "
                      "do $P -f markdown -t $t data$N.md | cksum; done; $P -f html -t markdown data1.html | cksum; "
                      "$P -f nothing 2>&1",
                      needs="pandoc-data"),
    "gnuplot": Subject("gnuplot-nox", "/usr/bin/gnuplot-nox",
                       "$P -e 'set term svg; set samples '$N'00; "
                       "plot sin(x) * x title \"a\", \"points'$N'.txt\" every ::2 using 1:2 smooth bezier' | "
                       "cksum; $P -e 'f(x) = a * x + b; fit f(x) \"points'$N'.txt\" every ::2 using 1:2 via a, b; "
                       "print a, b' 2>&1 | tail -1; $P -e 'plot (' 2>&1 | wc -l"),
}


def _page(n):
    return "%!PS\n" + "".join(
        f"/Times-Roman findfont {9 + i % 5} scalefont setfont 50 {750 - i * 12} moveto (Line {i} of a page, with words) show\n"
        f"0.{i % 10} 0.5 0 setrgbcolor {300 + i * 3} {700 - i * 9} {10 + i} 0 {90 + i * 5} arc {'fill' if i % 2 else 'stroke'}\n"
        for i in range(25 * n)) + "showpage\n" + f"{n} {{ newpath 50 50 moveto 100 200 300 100 400 400 curveto closepath gsave 0.5 setgray fill grestore stroke showpage }} repeat\n"


def _tex(n):
    return ("\\documentclass{article}\n\\begin{document}\n\\tableofcontents\n" + "".join(
        f"\\section{{Part {i}}}\\label{{s{i}}}\nSome text with {'longer words and lines ' * (5 + i % 7)}, as in \\ref{{s{i // 2}}}.\n"
        f"\\[ \\sum_{{k=0}}^{{{i}}} \\frac{{x^k}}{{\\sqrt{{k+{i}}}}} \\]\n\\begin{{tabular}}{{l|r}} a & {i} \\\\ \\hline b & c \\end{{tabular}}\n"
        for i in range(15 * n)) + "\\nothing\n\\end{document}\n")


FILES = {
    **{f"page{n}.ps": _page(n) for n in (1, 2)}, **{f"tex{n}.tex": _tex(n) for n in (1, 2)},
    "picture.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><defs><linearGradient '
        'id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
    '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter></defs><rect width="90" height="80" x="5" y="5" '
    'fill="url(#g)" stroke="black"/><path d="M10 10 C 20 90 60 0 90 90 Z" fill="none" stroke="#0a0" '
    'stroke-width="3" stroke-dasharray="5 3"/>'
    '<circle cx="50" cy="50" r="20" filter="url(#f)" opacity="0.5"/><g transform="rotate(30 50 50) '
    'scale(0.8)"><text x="20" y="50" font-size="14">Text</text></g></svg>\n',
    "script.csd": "<CsoundSynthesizer>\n<CsInstruments>\nsr=22050\nksmps=32\nnchnls=1\n0dbfs=1\ninstr 1\n"
        "a1 oscili 0.3, p4, 1\nk1 expon 1, p3, 0.01\na2 moogladder a1*k1, 900, 0.5\na3 reverb a2, 0.4\nout a3\n"
        "endin\n</CsInstruments>\n<CsScore>\nf1 0 1024 10 1 0.5 0.3\n"
    + "".join(f"i1 {i / 10} 0.4 {200 + 40 * i}\n" for i in range(9)) + "e\n</CsScore>\n</CsoundSynthesizer>\n",
    "scene.pov": "#version 3.7;\nglobal_settings { assumed_gamma 1 }\ncamera { location <0,2,-5> look_at 0 }\n"
        "light_source { <3,6,-5> rgb 1 }\nplane { y, -1 pigment { checker rgb 1 rgb 0.2 } finish { reflection 0.3 "
        "} }\n"
    "#declare I = 0;\n#while (I < 9)\n sphere { <I-4, sin(I), I/3>, "
    "0.6 pigment { marble turbulence 0.5 } normal { bumps 0.3 } finish { phong 1 } }\n #declare I = I + 1;\n#end\n"
    "difference { box { -1, 0.5 rotate 30 } cylinder { -2*z, 2*z, "
    "0.4 } pigment { rgbt <1,0,0,0.3> } interior { ior 1.3 } }\n",
    "script.xsl": '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:key '
        'name="k" match="row" use="@kind"/><xsl:template match="/rows"><r n="{count(row)}"><xsl:for-each '
        'select="row[generate-id() = generate-id(key(\'k\', @kind)[1])]">'
    '<xsl:sort select="@kind"/><k n="{@kind}" s="{sum(key(\'k\', '
    '@kind)/size)}"><xsl:apply-templates select="key(\'k\', '
    '@kind)[position() mod 3 = 1]"><xsl:sort select="size" '
    'data-type="number"/></xsl:apply-templates></k></xsl:for-each></r></xsl:template>'
    '<xsl:template match="row"><xsl:value-of select="concat(translate(name, \'abc\', \'xyz\'), \'-\', '
    'substring(text, 2, 9), format-number(size, \'#,##0.0\'))"/><xsl:choose><xsl:when test="size &gt; '
    '5000">+</xsl:when><xsl:otherwise><xsl:call-template name="t"><xsl:with-param name="i" '
    'select="4"/></xsl:call-template></xsl:otherwise></xsl:choose></xsl:template>'
    '<xsl:template name="t"><xsl:param name="i"/><xsl:if test="$i &gt; '
    '0">.<xsl:call-template name="t"><xsl:with-param name="i" select="$i - '
    '1"/></xsl:call-template></xsl:if></xsl:template></xsl:stylesheet>\n',
}
