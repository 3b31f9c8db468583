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
// And, for what goes from app to app, the relays of relay.c and the apps of app.c.
//
// FOLDER is a device's identity, NAME a file of server names, one a line: each connection takes the next one. What is sent has frames' heads: three bytes of length,
// one of kind. A frame without a body is answered by one; those with one are not.
#define _GNU_SOURCE
#include "bare.h"
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { frame_body = 256 << 10 };
static const unsigned char empty_frame[4] = {0, 0, 0, 4};
static SSL *call(SSL_CTX *context, FILE *names, int port, int resumes) {
    char name[64];
    if (!fgets(name, sizeof name, names)) fail("server names");
    name[strcspn(name, "\n")] = 0;
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

static int served;

static void *tell(void *unused) {
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        printf("%d %f\n", served, seconds(CLOCK_PROCESS_CPUTIME_ID));
        fflush(stdout);
    }
    exit(0);
}

static void serve(SSL_CTX *context) {
    static unsigned char body[frame_body];
    int listener = listen_and_tell();
    pthread_t teller;
    pthread_create(&teller, NULL, tell, NULL);
    for (;;) {
        int file = take(listener);
        if (file < 0) continue;
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
    if (count > 2 && relay(count, words)) return 0;
    if (count > 2 && app(count, words)) return 0;
    if (count < 6) return 64;
    SSL_CTX *context = make_context(words[2]);
    const char *verb = words[1];
    FILE *name = fopen(words[3], "r");
    if (!name) fail("server names");
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
