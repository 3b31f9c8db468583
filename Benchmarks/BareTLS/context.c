// OpenSSL and sockets as all parts of the program use them.
#define _GNU_SOURCE
#include "bare.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const unsigned char protocol[] = "\7baton/1";
SSL_SESSION *kept;

void fail(const char *what) {
    fprintf(stderr, "BareTLS: %s: %s\n", what, strerror(errno));
    ERR_print_errors_fp(stderr);
    exit(1);
}

double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static int select_protocol(SSL *ssl, const unsigned char **out, unsigned char *count, const unsigned char *in,
                           unsigned int in_count, void *unused) {
    return SSL_select_next_proto((unsigned char **)out, count, protocol, 8, in, in_count) == OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static int keep(SSL *ssl, SSL_SESSION *session) {
    SSL_SESSION_free(kept);
    kept = session;
    return 1;
}

SSL_CTX *make_context(const char *folder) {
    char path[4096];
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set1_sigalgs_list(context, "ECDSA+SHA256:ed25519");
    snprintf(path, sizeof path, "%s/device.pem", folder);
    if (SSL_CTX_use_certificate_chain_file(context, path) != 1) fail(path);
    snprintf(path, sizeof path, "%s/device-key.pem", folder);
    if (SSL_CTX_use_PrivateKey_file(context, path, SSL_FILETYPE_PEM) != 1) fail(path);
    snprintf(path, sizeof path, "%s/root.pem", folder);
    if (SSL_CTX_load_verify_locations(context, path, NULL) != 1) fail(path);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    // As on the other side: three certificates at the most, by the strict rules.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_X509_STRICT);
    SSL_CTX_set_session_id_context(context, (const unsigned char *)"account", 7);
    SSL_CTX_set_num_tickets(context, 1);
    SSL_CTX_set_alpn_protos(context, protocol, 8);
    SSL_CTX_set_alpn_select_cb(context, select_protocol, NULL);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return context;
}

int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) fail("socket");
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return file;
}

int listen_and_tell(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(file, (struct sockaddr *)&address, length) != 0 || listen(file, 512) != 0) fail("listen");
    getsockname(file, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return file;
}

int take(int listener) {
    int one = 1, file = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    // Of no use to a Unix socket, and no harm.
    if (file >= 0) setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return file;
}
