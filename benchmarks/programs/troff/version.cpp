// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What groff's build system would generate, and a clock that stands still: documents print
// the date.

#include <time.h>

extern const char *version_string;
extern const char *major_version;
extern const char *minor_version;
extern const char *revision;
extern "C" const char *Version_string;
extern "C" const char *program_name;

const char *version_string = "1.22";
const char *major_version = "1";
const char *minor_version = "22";
const char *revision = "4";
const char *Version_string = "1.22.4";
const char *program_name = 0;

time_t current_time();

time_t current_time() { return 0; }
