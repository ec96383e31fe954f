#include "views.h"
void linked_views(void) { say_address("linked", (void *)linked_views); }
