// Linux system calls for Swift: the headers that its Glibc module leaves out, and inline functions for variadic C
// functions. No logic.
//
// Some types of the C library, such as `timespec`, belong to the one of the two modules that is built first. So a file
// that calls C imports both.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <unistd.h>

/// The credentials of a Unix socket's peer: the C library declares its `struct ucred` for GNU programs only.
struct CLinux_credentials {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// `syscall` is variadic, which Swift can't call; older C libraries have no `pidfd_open` of their own.
static inline int CLinux_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0u);
}

/// The C library declares `accept4` for GNU programs only.
static inline int CLinux_accept(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    return (int)syscall(SYS_accept4, listener, address, length, flags);
}

/// `prctl` is variadic, and the C library declares `pthread_setname_np` for GNU programs only.
static inline int CLinux_name_thread(const char *name) {
    return prctl(PR_SET_NAME, name, 0ul, 0ul, 0ul);
}

/// `fcntl` is variadic, and the C library names locks of open files (37 is `F_OFD_SETLK`) for GNU programs only.
static inline int CLinux_lock_first_byte(int file, int locks) {
    struct flock lock = {.l_type = locks ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    return fcntl(file, 37, &lock);
}

/// `ioctl` is variadic.
static inline int CLinux_count_unacknowledged(int socket, int *count) {
    return ioctl(socket, SIOCOUTQ, count);
}

/// The C library declares `memfd_create` for GNU programs only; 1 is `MFD_CLOEXEC`.
static inline int CLinux_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u);
}

#endif
