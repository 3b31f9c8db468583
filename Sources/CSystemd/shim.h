// The message bus of libsystemd for Swift, which is loaded when it is first used. No logic.
//
// A program is not linked with libsystemd: most apps never ask for the person's session, the library would make each of
// them start later, and Debian has no archive of it for programs without shared libraries. So the declarations of
// `systemd/sd-bus.h` that are used stand here, and no package with headers is needed. They belong to the stable
// interface of `libsystemd.so.0`.
//
// Swift can't call `sd_bus_call_method` and `sd_bus_message_append`, which are variadic; BatonLogin builds messages
// value by value instead.
#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;

typedef struct {
    const char *name;
    const char *message;
    int _need_free;
} sd_bus_error;

typedef int (*sd_bus_message_handler_t)(sd_bus_message *message, void *context, sd_bus_error *error);

/// Returns the address of a function of the library; null if this machine has no such library or function.
static inline void *CSystemd_function(const char *name) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    // Systems without systemd have the same functions in this library.
    if (!library) library = dlopen("libelogind.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

// Defines a function that calls the library's function of the same name; without the library it returns an error.
#define CSYSTEMD_CALL(name, parameters, arguments)                                                                     \
    static inline int name parameters {                                                                                \
        int(*function) parameters = (int(*) parameters)CSystemd_function(#name);                                       \
        return function ? function arguments : -ELIBACC;                                                               \
    }

// Defines such a function for one that returns a pointer; without the library it returns null.
#define CSYSTEMD_GET(type, name, parameters, arguments)                                                                \
    static inline type name parameters {                                                                               \
        type(*function) parameters = (type(*) parameters)CSystemd_function(#name);                                     \
        return function ? function arguments : NULL;                                                                   \
    }

// Connections.
CSYSTEMD_CALL(sd_bus_new, (sd_bus **bus), (bus))
CSYSTEMD_CALL(sd_bus_set_address, (sd_bus *bus, const char *address), (bus, address))
CSYSTEMD_CALL(sd_bus_set_bus_client, (sd_bus *bus, int isClient), (bus, isClient))
CSYSTEMD_CALL(sd_bus_start, (sd_bus *bus), (bus))
CSYSTEMD_CALL(sd_bus_get_unique_name, (sd_bus *bus, const char **name), (bus, name))
CSYSTEMD_CALL(
    sd_bus_call,
    (sd_bus *bus, sd_bus_message *call, uint64_t microseconds, sd_bus_error *error, sd_bus_message **answer),
    (bus, call, microseconds, error, answer))
CSYSTEMD_CALL(sd_bus_get_fd, (sd_bus *bus), (bus))
CSYSTEMD_CALL(sd_bus_get_events, (sd_bus *bus), (bus))
CSYSTEMD_CALL(sd_bus_get_timeout, (sd_bus *bus, uint64_t *microseconds), (bus, microseconds))
CSYSTEMD_CALL(sd_bus_process, (sd_bus *bus, sd_bus_message **message), (bus, message))
CSYSTEMD_GET(sd_bus *, sd_bus_flush_close_unref, (sd_bus *bus), (bus))

static inline void sd_bus_error_free(sd_bus_error *error) {
    void (*function)(sd_bus_error *) = (void (*)(sd_bus_error *))CSystemd_function("sd_bus_error_free");
    if (function) function(error);
}

// Messages.
CSYSTEMD_CALL(
    sd_bus_message_new_method_call,
    (sd_bus *bus, sd_bus_message **message, const char *service, const char *path, const char *interface,
     const char *method),
    (bus, message, service, path, interface, method))
CSYSTEMD_GET(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *message), (message))
CSYSTEMD_CALL(
    sd_bus_message_append_basic, (sd_bus_message *message, char type, const void *value), (message, type, value))
CSYSTEMD_CALL(
    sd_bus_message_open_container, (sd_bus_message *message, char type, const char *contents),
    (message, type, contents))
CSYSTEMD_CALL(sd_bus_message_close_container, (sd_bus_message *message), (message))
CSYSTEMD_CALL(
    sd_bus_message_peek_type, (sd_bus_message *message, char *type, const char **contents), (message, type, contents))
CSYSTEMD_CALL(sd_bus_message_read_basic, (sd_bus_message *message, char type, void *value), (message, type, value))
CSYSTEMD_CALL(
    sd_bus_message_enter_container, (sd_bus_message *message, char type, const char *contents),
    (message, type, contents))
CSYSTEMD_CALL(sd_bus_message_exit_container, (sd_bus_message *message), (message))
CSYSTEMD_CALL(
    sd_bus_message_is_signal, (sd_bus_message *message, const char *interface, const char *member),
    (message, interface, member))
CSYSTEMD_GET(const char *, sd_bus_message_get_path, (sd_bus_message *message), (message))
CSYSTEMD_GET(const char *, sd_bus_message_get_member, (sd_bus_message *message), (message))

// Services, which only tests have.
CSYSTEMD_CALL(sd_bus_request_name, (sd_bus *bus, const char *name, uint64_t flags), (bus, name, flags))
CSYSTEMD_CALL(
    sd_bus_add_filter, (sd_bus *bus, sd_bus_slot **slot, sd_bus_message_handler_t handler, void *context),
    (bus, slot, handler, context))
CSYSTEMD_CALL(sd_bus_wait, (sd_bus *bus, uint64_t microseconds), (bus, microseconds))
CSYSTEMD_CALL(sd_bus_send, (sd_bus *bus, sd_bus_message *message, uint64_t *cookie), (bus, message, cookie))
CSYSTEMD_CALL(sd_bus_error_set, (sd_bus_error *error, const char *name, const char *message), (error, name, message))
CSYSTEMD_CALL(
    sd_bus_message_is_method_call, (sd_bus_message *message, const char *interface, const char *method),
    (message, interface, method))
CSYSTEMD_CALL(
    sd_bus_message_new_method_error, (sd_bus_message *call, sd_bus_message **message, const sd_bus_error *error),
    (call, message, error))
CSYSTEMD_CALL(sd_bus_message_new_method_return, (sd_bus_message *call, sd_bus_message **message), (call, message))
CSYSTEMD_CALL(
    sd_bus_message_new_signal,
    (sd_bus *bus, sd_bus_message **message, const char *path, const char *interface, const char *member),
    (bus, message, path, interface, member))
CSYSTEMD_GET(sd_bus_message *, sd_bus_message_ref, (sd_bus_message *message), (message))

#endif
