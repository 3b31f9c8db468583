// What the parts of the program have in common.
#pragma once
#include <openssl/ssl.h>
#include <time.h>

/// Ends the program, and says why.
void fail(const char *what);

double seconds(clockid_t clock);

/// TLS 1.3 with both sides authenticated, for the device whose identity is in that folder.
SSL_CTX *make_context(const char *folder);

/// The session that may be resumed next.
extern SSL_SESSION *kept;

/// A connection to a port of this machine.
int dial(int port);

/// A listener at a port of this machine that the system chooses, and tells on the standard output.
int listen_and_tell(void);

/// Takes the next connection.
int take(int listener);

/// The relays between two apps: see relay.c.
int relay(int count, char **words);

/// The apps at both ends: see app.c.
int app(int count, char **words);
