#include "views.h"
void loaded_views(void) { say_address("loaded", (void *)loaded_views); }
