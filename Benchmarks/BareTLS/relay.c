// The bare floor between two apps: what stands where the two nodes do, and does nothing but pass on.
//
//     BareTLS far FOLDER SOCKET [FILE]        takes TLS at a port, which it tells first, and passes what comes to its app
//     BareTLS near FOLDER PORT SOCKET [FILE]  passes what its app says on to that port, over TLS
//
// An app connects to SOCKET, and `near` tells a number once it may. With a FILE, what is passed on was written to that and
// synced before, as it takes to promise that it survives the loss of power.
#define _GNU_SOURCE
#include "bare.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// As much as OpenSSL puts into sixteen of its records.
static unsigned char bytes[256 << 10];

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (bind(file, (struct sockaddr *)&address, sizeof address) != 0 || listen(file, 1) != 0) fail(path);
    return file;
}

static int open_journal(const char *path) {
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (path && file < 0) fail(path);
    return file;
}

static void write_all(int file, int count) {
    for (int done = 0, part; done < count; done += part)
        if ((part = write(file, bytes + done, count - done)) <= 0) fail("write");
}

static void keep_for_good(int journal, int count) {
    if (journal < 0) return;
    write_all(journal, count);
    if (fdatasync(journal) != 0) fail("fdatasync");
}

static void far_side(SSL_CTX *context, const char *path, const char *journal_path) {
    int count, journal = open_journal(journal_path), apps = listen_at(path), listener = listen_and_tell();
    SSL *ssl = SSL_new(context);
    // Records come with one system call, not with two.
    SSL_set_read_ahead(ssl, 1);
    SSL_set_fd(ssl, take(listener));
    if (SSL_accept(ssl) != 1) fail("handshake");
    int app = take(apps);
    while ((count = SSL_read(ssl, bytes, sizeof bytes)) > 0) {
        keep_for_good(journal, count);
        write_all(app, count);
    }
    // Whoever only hangs up cuts a stream short, which is not its end.
    if (SSL_get_error(ssl, count) != SSL_ERROR_ZERO_RETURN) fail("the end of what comes");
    SSL_shutdown(ssl);
    close(app);
}

static void near_side(SSL_CTX *context, int port, const char *path, const char *journal_path) {
    int count, journal = open_journal(journal_path), apps = listen_at(path);
    SSL *ssl = SSL_new(context);
    SSL_set_fd(ssl, dial(port));
    if (SSL_connect(ssl) != 1) fail("handshake");
    printf("1\n");
    fflush(stdout);
    int app = take(apps);
    while ((count = read(app, bytes, sizeof bytes)) > 0) {
        keep_for_good(journal, count);
        if (SSL_write(ssl, bytes, count) != count) fail("write");
    }
    // Whoever leaves with something unread takes back what is on its way.
    if (SSL_shutdown(ssl) == 0) SSL_shutdown(ssl);
}

int relay(int count, char **words) {
    if (!strcmp(words[1], "far") && count >= 4) {
        far_side(make_context(words[2]), words[3], count > 4 ? words[4] : NULL);
    } else if (!strcmp(words[1], "near") && count >= 5) {
        near_side(make_context(words[2]), atoi(words[3]), words[4], count > 5 ? words[5] : NULL);
    } else {
        return 0;
    }
    return 1;
}
