# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# wrapped.sh WRAPPER PROGRAM COPY: what a wrapper starts. COPY has the program's
# content. The version is seen in the place of the program by what the wrapper
# starts, so a stand-in is asked: the same wrapper, with a program that looks.
wrapper=$1 program=$2 copy=$3
look="$(dirname "$copy")/look"
cat > "$look" <<END
#!/usr/bin/env python3
import sys
now, was = open("$program", "rb").read(), open("$copy", "rb").read()
print("the original" if now == was else "a version that counts" if b"gprofile" in now else "a version")
END
chmod +x "$look"
sed "s,-- '$program',-- '$look'," "$wrapper" | sed "s,^exec '$program',exec '$look'," > "$look-wrapper"
chmod +x "$look-wrapper"
echo "by the wrapper: $("$look-wrapper")"
echo "GRAUPEL_WRAPPERS=off: $(GRAUPEL_WRAPPERS=off "$look-wrapper")"
echo "learning: $(graupel learn --name=look -- "$look-wrapper" 2> /dev/null)"
