# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# handling.sh FOLDER: runs FOLDER/app, and does with it what builds and packages
# do with programs. What is to be compared is in FOLDER/made.
cd "$1" || exit 9
mkdir made
./app
cp app made/temporary && mv made/temporary made/renamed
install -m 750 app made/temporary && mv made/temporary made/installed
install -s app made/installed-and-stripped
install app made/stripped-later && strip made/stripped-later
cp app made/first && cp made/first made/second
cp app made/longer && echo trailer >> made/longer
cp -p app made/kept-times
mkdir made/below && cp app made/below
cp -r . ../tree && mv ../tree made/below/all
cat app > made/by-cat
dd if=app of=made/by-dd 2> /dev/null
tee made/by-tee < /dev/null > /dev/null
tail -c +1 app > made/by-tail
strip -o made/by-strip app
objcopy --only-keep-debug app made/by-objcopy
gzip -n -c app > made/by-gzip
tar -cf - app | tar -xf - -C made/below
ar rcD made/archive app
echo 'file(INSTALL DESTINATION ${CMAKE_CURRENT_LIST_DIR}/made/by-cmake TYPE PROGRAM FILES app)' \
  > cmake_install.cmake
cmake -P cmake_install.cmake > /dev/null
cmake -E copy app made/by-cmake-E
ln app made/linked && ./made/linked
cp -l app made/linked-too
cp made/linked made/copy-of-link
{
  sha256sum app
  stat -c '%s %a %h' app
  ls -l app | cut -d ' ' -f 1,2,5
  cmp app made/renamed && echo alike
} > made/said
./app
env -i ./app
