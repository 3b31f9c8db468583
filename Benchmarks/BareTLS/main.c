// The bare floor of TLS: OpenSSL, blocking sockets, and nothing else.
//
//     BareTLS serve FOLDER                    echoes small things and swallows large ones; tells its port first, and the
//                                             seconds of processor it took, and how many connections, at each end of one
//                                             when its standard input ends
//     BareTLS meet FOLDER NAME PORT COUNT R   makes that many connections, one after the other; R is 1 to resume
//     BareTLS rush FOLDER NAME PORT MILLIS    does so for a time, and tells how many came to an answer
//     BareTLS pour FOLDER NAME PORT MEGABYTES sends that much, waits for a byte, and tells the seconds
//     BareTLS ping FOLDER NAME PORT COUNT     says four bytes and hears four, so many times; tells the seconds
//     BareTLS hold FOLDER NAME PORT COUNT     keeps that many connections; for each line of its input, pings on the last
//     BareTLS flood PORT A-SECOND             opens connections that say nothing, until its input ends
//
// FOLDER is a device's identity, NAME the server that is meant. What is sent has frames' heads: three bytes of length,
// one of kind. A frame without a body is answered by one; those with one are not.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { frame_body = 256 << 10 };
static const unsigned char protocol[] = "\7baton/1";
static const unsigned char empty_frame[4] = {0, 0, 0, 4};
static SSL_SESSION *kept;

static void fail(const char *what) {
    fprintf(stderr, "BareTLS: %s: %s\n", what, strerror(errno));
    ERR_print_errors_fp(stderr);
    exit(1);
}

static double seconds(clockid_t clock) {
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

static SSL_CTX *make_context(const char *folder) {
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

static int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) fail("socket");
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    return file;
}

static SSL *call(SSL_CTX *context, const char *name, int port, int resumes) {
    SSL *ssl = SSL_new(context);
    SSL_set_tlsext_host_name(ssl, name);
    if (resumes && kept) SSL_set_session(ssl, kept);
    SSL_set_fd(ssl, dial(port));
    if (SSL_connect(ssl) != 1) fail("handshake");
    return ssl;
}

static void hang_up(SSL *ssl) {
    int file = SSL_get_fd(ssl);
    SSL_shutdown(ssl);
    SSL_free(ssl);
    close(file);
}

static int read_all(SSL *ssl, unsigned char *bytes, int count) {
    for (int done = 0, part; done < count; done += part)
        if ((part = SSL_read(ssl, bytes + done, count - done)) <= 0) return 0;
    return 1;
}

static void ping(SSL *ssl) {
    unsigned char answer[4];
    if (SSL_write(ssl, empty_frame, 4) != 4 || !read_all(ssl, answer, 4)) fail("ping");
}

static int served, listening;

static void *tell(void *unused) {
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        printf("%d %f\n", served, seconds(CLOCK_PROCESS_CPUTIME_ID));
        fflush(stdout);
    }
    exit(0);
}

static void serve(SSL_CTX *context) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    static unsigned char body[frame_body];
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listening, (struct sockaddr *)&address, length) != 0 || listen(listening, 512) != 0) fail("listen");
    getsockname(listening, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t teller;
    pthread_create(&teller, NULL, tell, NULL);
    for (;;) {
        int one = 1, file = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (file < 0) continue;
        setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        SSL *ssl = SSL_new(context);
        SSL_set_fd(ssl, file);
        unsigned char head[4];
        if (SSL_accept(ssl) == 1)
            while (read_all(ssl, head, 4)) {
                int count = head[0] << 16 | head[1] << 8 | head[2];
                if (count == 0 ? SSL_write(ssl, head, 4) != 4 : !read_all(ssl, body, count)) break;
            }
        served++;
        hang_up(ssl);
    }
}

static void pour(SSL *ssl, int megabytes) {
    static unsigned char frame[4 + frame_body];
    frame[0] = frame_body >> 16, frame[1] = frame_body >> 8 & 255, frame[2] = frame_body & 255, frame[3] = 4;
    double start = seconds(CLOCK_MONOTONIC);
    for (int count = 0; count < megabytes * 4; count++)
        if (SSL_write(ssl, frame, sizeof frame) != sizeof frame) fail("pour");
    ping(ssl);
    printf("%f\n", seconds(CLOCK_MONOTONIC) - start);
}

static void flood(int port, int a_second) {
    enum { most = 900 };
    int files[most], place = 0;
    memset(files, -1, sizeof files);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct pollfd end = {.fd = 0, .events = POLLIN};
    for (;;) {
        for (int count = 0; count < a_second / 100; count++) {
            if (files[place] >= 0) close(files[place]);
            files[place] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            connect(files[place], (struct sockaddr *)&address, sizeof address);
            place = (place + 1) % most;
        }
        if (poll(&end, 1, 10) > 0) exit(0);
    }
}

int main(int count, char **words) {
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (count == 4 && !strcmp(words[1], "flood")) flood(atoi(words[2]), atoi(words[3]));
    if (count == 3 && !strcmp(words[1], "serve")) serve(make_context(words[2]));
    if (count < 6) return 64;
    SSL_CTX *context = make_context(words[2]);
    const char *verb = words[1], *name = words[3];
    int port = atoi(words[4]), number = atoi(words[5]);
    double start = seconds(CLOCK_MONOTONIC);
    if (!strcmp(verb, "meet") && count == 7) {
        for (int done = 0; done < number; done++) {
            SSL *ssl = call(context, name, port, atoi(words[6]));
            ping(ssl);
            if (done > 0 && SSL_session_reused(ssl) != atoi(words[6])) fail("not as asked");
            hang_up(ssl);
        }
        printf("%f\n", seconds(CLOCK_MONOTONIC) - start);
    } else if (!strcmp(verb, "rush")) {
        int done = 0;
        while (seconds(CLOCK_MONOTONIC) - start < number / 1e3) {
            SSL *ssl = call(context, name, port, 0);
            unsigned char byte;
            if (SSL_read(ssl, &byte, 1) == 1) done++;
            hang_up(ssl);
        }
        printf("%d\n", done);
    } else if (!strcmp(verb, "pour")) {
        SSL *ssl = call(context, name, port, 0);
        ping(ssl);
        pour(ssl, number);
        hang_up(ssl);
    } else if (!strcmp(verb, "ping")) {
        SSL *ssl = call(context, name, port, 0);
        ping(ssl);
        start = seconds(CLOCK_MONOTONIC);
        for (int done = 0; done < number; done++) ping(ssl);
        printf("%f\n", seconds(CLOCK_MONOTONIC) - start);
        hang_up(ssl);
    } else if (!strcmp(verb, "hold")) {
        SSL *last = NULL;
        for (int done = 0; done < number; done++) ping(last = call(context, name, port, 0));
        printf("%d\n", number);
        fflush(stdout);
        char line[16];
        while (fgets(line, sizeof line, stdin)) {
            start = seconds(CLOCK_MONOTONIC);
            for (int done = 0; done < 1000; done++) ping(last);
            printf("%f\n", seconds(CLOCK_MONOTONIC) - start);
            fflush(stdout);
        }
    } else {
        return 64;
    }
    return 0;
}
