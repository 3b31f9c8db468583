// SQLite for Swift: the header, and inline functions for macros and variadic functions.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a macro with a cast, which Swift does not import. With it, SQLite copies the bytes before it returns.
static inline int CSQLite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// Likewise for text; an empty text needs an address, too.
static inline int CSQLite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// A null pointer binds NULL even where the count is zero; an empty blob needs a function of its own.
static inline int CSQLite_bind_empty_blob(sqlite3_stmt *statement, int place) {
    return sqlite3_bind_zeroblob(statement, place, 0);
}

// sqlite3_db_config is variadic. Sets whether the last connection leaves the journal as it is when it is closed.
static inline int CSQLite_keep_journal(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

// sqlite3_config is variadic. Makes SQLite count no memory, which takes a lock for each allocation; it must be called before
// anything else.
static inline int CSQLite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
