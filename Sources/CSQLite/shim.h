// SQLite for Swift: the header, and inline functions for what is a macro or variadic in C.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
