// OpenSSL for Swift: its headers, and inline functions for declarations that Swift can't import.
//
// Swift can't import macros with arguments or casts, or variadic functions. Each function here wraps one of those. Its
// name is the original's, preceded by the module's name, and it contains no logic of its own.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Keys: a macro that calls a variadic function.

static inline EVP_PKEY *COpenSSL_EVP_EC_gen(const char *curve) {
    return EVP_EC_gen(curve);
}

// Blocks of SHA-256: OpenSSL 3 would rather have a whole hash asked for, whose context it allocates each time.

static inline void COpenSSL_SHA256_Transform(uint32_t state[8], const uint8_t *blocks, size_t count) {
    SHA256_CTX context;
    __builtin_memcpy(context.h, state, sizeof context.h);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    for (size_t place = 0; place < count; place++) SHA256_Transform(&context, blocks + 64 * place);
#pragma clang diagnostic pop
    __builtin_memcpy(state, context.h, sizeof context.h);
}

// Memory BIOs: macros that call BIO_ctrl.

static inline size_t COpenSSL_BIO_pending(BIO *bio) {
    return BIO_ctrl_pending(bio);
}

static inline long COpenSSL_BIO_get_mem_data(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

// Stacks: type-safe macros around an untyped stack.

static inline STACK_OF(X509) *COpenSSL_sk_X509_new_null(void) {
    return sk_X509_new_null();
}

static inline int COpenSSL_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}

static inline int COpenSSL_sk_X509_num(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}

static inline X509 *COpenSSL_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline void COpenSSL_sk_X509_free(STACK_OF(X509) *stack) {
    sk_X509_free(stack);
}

static inline int COpenSSL_sk_GENERAL_NAME_num(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}

static inline GENERAL_NAME *COpenSSL_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

// Memory that OpenSSL allocated: a macro that adds file and line.

static inline void COpenSSL_OPENSSL_free(void *memory) {
    OPENSSL_free(memory);
}

// TLS contexts: macros that call SSL_CTX_ctrl.

static inline int COpenSSL_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int COpenSSL_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline long COpenSSL_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_mode(context, mode);
}

static inline long COpenSSL_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline long COpenSSL_SSL_CTX_set_max_cert_list(SSL_CTX *context, long count) {
    return SSL_CTX_set_max_cert_list(context, count);
}

static inline int COpenSSL_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int COpenSSL_SSL_CTX_set1_sigalgs_list(SSL_CTX *context, const char *algorithms) {
    return (int)SSL_CTX_set1_sigalgs_list(context, algorithms);
}

static inline int COpenSSL_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, groups);
}

// TLS options: macros with a cast.

static inline uint64_t COpenSSL_SSL_OP_NO_COMPRESSION(void) {
    return SSL_OP_NO_COMPRESSION;
}

static inline uint64_t COpenSSL_SSL_OP_NO_RENEGOTIATION(void) {
    return SSL_OP_NO_RENEGOTIATION;
}

// The server name: a macro with a cast.

static inline int COpenSSL_SSL_set_tlsext_host_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

#endif
