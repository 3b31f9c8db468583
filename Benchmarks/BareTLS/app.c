// The apps at both ends of what hands over: the same two whatever stands between them.
//
//     BareTLS tell WHERE FILE EACH MICROS  for each line of its input says the next EACH things of FILE, so far apart, and
//                                          tells the nanoseconds at which it began to say each
//     BareTLS hear WHERE FILE EACH HOW     hears changes, and tells the nanoseconds at which it had heard of each, EACH of
//                                          them in a line behind the number of the first
//     BareTLS pour WHERE FILE              says all that is in FILE, and tells when it began
//     BareTLS swallow WHERE                hears all until the end, and tells how much and when that was
//
// WHERE is the path of a Unix socket or a port of this machine. FILE is a row of things to say, each behind its length in
// four bytes, the highest byte first; the first of them opens the conversation. The clock is that of the machine, so that
// the times of two processes can be compared.
//
// A change says "change 00000001;" somewhere, and is heard once that is read or a later one: who hands over may leave
// out what something newer has overtaken. HOW is `told` if the other side tells by itself; `mqtt` and `nats` answer it as
// those protocols want it; `asked` asks the second thing of FILE again and again; and `watched` asks it of a node once for
// each answer, which comes when there is something new, and has it behind the number that the answer before had.
#define _GNU_SOURCE
#include "bare.h"
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static unsigned char *script;
static long script_place, script_count;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static int connect_to(const char *where) {
    if (*where != '/') return dial(atoi(where));
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", where);
    if (connect(file, (struct sockaddr *)&address, sizeof address) != 0) fail(where);
    return file;
}

static void open_script(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail(path);
    script = malloc(status.st_size);
    while (script_count < status.st_size) {
        long part = read(file, script + script_count, status.st_size - script_count);
        if (part <= 0) fail(path);
        script_count += part;
    }
    close(file);
}

static void say(int to, const void *bytes, long count) {
    if (count > 0 && send(to, bytes, count, MSG_NOSIGNAL) != count) fail("send");
}

static void say_next(int to) {
    if (script_place + 4 > script_count) fail("nothing is left to be said");
    unsigned char *thing = script + script_place;
    long count = (long)thing[0] << 24 | thing[1] << 16 | thing[2] << 8 | thing[3];
    script_place += 4 + count;
    say(to, thing + 4, count);
}

static void tell(int to, int each, long nanoseconds) {
    static char unread[1 << 16];
    char line[16];
    long *times = calloc(each, sizeof *times);
    say_next(to);
    while (fgets(line, sizeof line, stdin)) {
        long due = now() + nanoseconds;
        for (int place = 0; place < each; place++, due += nanoseconds) {
            struct timespec then = {due / 1000000000L, due % 1000000000L};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
            // What was answered to the one before.
            while (recv(to, unread, sizeof unread, MSG_DONTWAIT) > 0) {}
            times[place] = now();
            say_next(to);
        }
        for (int place = 0; place < each; place++) printf("%ld%c", times[place], place + 1 < each ? ' ' : '\n');
        fflush(stdout);
    }
}

// What came and was not looked at yet.
static unsigned char heard[4 << 20];
static long heard_count;

static void drop(long count) {
    heard_count -= count;
    memmove(heard, heard + count, heard_count);
}

// Acknowledges what a broker delivered at least once, and drops all that is whole.
static void answer_mqtt(int to) {
    for (;;) {
        long length = 0, head = 1;
        for (int shift = 0;; shift += 7) {
            if (head >= heard_count) return;
            length |= (long)(heard[head] & 127) << shift;
            if (heard[head++] < 128) break;
        }
        if (heard_count < head + length) return;
        if (heard[0] >> 4 == 3 && (heard[0] & 6) != 0) {
            unsigned char *number = heard + head + 2 + (heard[head] << 8 | heard[head + 1]);
            unsigned char acknowledgement[4] = {4 << 4, 2, number[0], number[1]};
            say(to, acknowledgement, 4);
        }
        drop(head + length);
    }
}

// Asks a node what has changed since the list had the number that stands in an answer.
static void watch_on(int to, const unsigned char *answer, long question) {
    // An array of three: the number of the request, that of the kind of answer, and a map whose first value is the number.
    static const unsigned char start[] = {0x83, 0x01, 0x18, 0x28}, question_start[] = {0x83, 0x01, 0x18, 0x21};
    const unsigned char *number = answer + 4 + sizeof start + 2;
    if (memcmp(answer + 4, start, sizeof start) || number[-1] != 1) {
        fputs("BareTLS: the node does not tell of changes\n", stderr);
        exit(1);
    }
    int length = *number < 24 ? 1 : 1 + (1 << (*number - 24));
    unsigned char frame[32] = {0, 0, sizeof question_start + length, script[question + 7]};
    memcpy(frame + 4, question_start, sizeof question_start);
    memcpy(frame + 4 + sizeof question_start, number, length);
    say(to, frame, 4 + sizeof question_start + length);
}

// Drops whole frames; the first one greets, and after any other is asked again.
static void ask_again(int to, long question, int is_watching) {
    static int is_greeted;
    while (heard_count >= 4) {
        long count = 4 + ((long)heard[0] << 16 | heard[1] << 8 | heard[2]);
        if (heard_count < count) return;
        if (is_greeted && is_watching) {
            watch_on(to, heard, question);
        } else if (is_greeted) {
            script_place = question;
            say_next(to);
        }
        is_greeted = 1;
        drop(count);
    }
}

// The largest number of a change that is read by now; 0 if there is none.
static int last_change(void) {
    static const char mark[] = "change ";
    int last = 0;
    unsigned char *place = heard, *end = heard + heard_count;
    while ((place = memmem(place, end - place, mark, sizeof mark - 1)) && end - place >= 16) {
        if (place[15] == ';' && atoi((char *)place + 7) > last) last = atoi((char *)place + 7);
        place++;
    }
    return last;
}

static void hear(int from, int each, const char *how) {
    int latest = 0;
    long *times = calloc(each, sizeof *times), question = 0;
    struct pollfd files[2] = {{.fd = from, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    say_next(from);
    int is_watching = !strcmp(how, "watched");
    if (is_watching || !strcmp(how, "asked")) {
        question = script_place;
        say_next(from);
    }
    while (poll(files, 2, -1) > 0 && !files[1].revents) {
        long count = recv(from, heard + heard_count, sizeof heard - heard_count, 0), time = now();
        if (count <= 0) fail("the end of what is heard");
        heard_count += count;
        int last = last_change();
        while (latest < last) {
            times[latest++ % each] = time;
            if (latest % each != 0) continue;
            printf("%d", latest - each);
            for (int place = 0; place < each; place++) printf(" %ld", times[place]);
            printf("\n");
            fflush(stdout);
        }
        if (!strcmp(how, "mqtt")) {
            answer_mqtt(from);
        } else if (question) {
            ask_again(from, question, is_watching);
        } else {
            if (!strcmp(how, "nats") && memmem(heard, heard_count, "PING\r\n", 6)) say(from, "PONG\r\n", 6);
            // The beginning of a mark may stand at the end.
            if (heard_count > 15) drop(heard_count - 15);
        }
    }
}

static void pour(int to, const char *path) {
    static char bytes[256 << 10];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path);
    long started = now(), count;
    while ((count = read(file, bytes, sizeof bytes)) > 0) say(to, bytes, count);
    if (count < 0) fail(path);
    shutdown(to, SHUT_WR);
    printf("%ld\n", started);
}

static void swallow(int from) {
    static char bytes[256 << 10];
    long all = 0, count;
    while ((count = recv(from, bytes, sizeof bytes, 0)) > 0) all += count;
    printf("%ld %ld\n", all, now());
}

int app(int count, char **words) {
    const char *verb = words[1];
    if (!strcmp(verb, "tell") && count == 6) {
        open_script(words[3]);
        tell(connect_to(words[2]), atoi(words[4]), 1000L * atoi(words[5]));
    } else if (!strcmp(verb, "hear") && count == 6) {
        open_script(words[3]);
        hear(connect_to(words[2]), atoi(words[4]), words[5]);
    } else if (!strcmp(verb, "pour") && count == 4) {
        pour(connect_to(words[2]), words[3]);
    } else if (!strcmp(verb, "swallow") && count == 3) {
        swallow(connect_to(words[2]));
    } else {
        return 0;
    }
    return 1;
}
