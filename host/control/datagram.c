#include "datagram.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

enum { WINDOW = 64, FULL_TAG_BYTES = 32 };

bool datagram_open(struct datagram_guard *guard) {
    *guard = (struct datagram_guard){0};
    EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    guard->mac = hmac ? EVP_MAC_CTX_new(hmac) : NULL;
    EVP_MAC_free(hmac);
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end()};
    return guard->mac && EVP_MAC_CTX_set_params(guard->mac, parameters) == 1;
}

void datagram_close(struct datagram_guard *guard) {
    EVP_MAC_CTX_free(guard->mac);
    OPENSSL_cleanse(guard, sizeof *guard);
}

void datagram_begin(struct datagram_guard *guard, uint64_t session_id,
                    const uint8_t key[WIRE_KEY_BYTES]) {
    EVP_MAC_CTX *mac = guard->mac;
    *guard = (struct datagram_guard){.mac = mac, .session_id = session_id};
    memcpy(guard->key, key, sizeof guard->key);
}

static bool authentic(struct datagram_guard *guard, const uint8_t *bytes, size_t size) {
    uint8_t tag[FULL_TAG_BYTES];
    size_t length = 0;
    return EVP_MAC_init(guard->mac, guard->key, sizeof guard->key, NULL) == 1 &&
           EVP_MAC_update(guard->mac, bytes, size) == 1 &&
           EVP_MAC_final(guard->mac, tag, &length, sizeof tag) == 1 && length == sizeof tag &&
           CRYPTO_memcmp(tag, bytes + size, WIRE_TAG_BYTES) == 0;
}

/* Whether the sequence is new; if so it is old from now on. */
static bool fresh(struct datagram_guard *guard, uint64_t sequence) {
    if (sequence == 0)
        return false;
    if (sequence > guard->highest) {
        const uint64_t ahead = sequence - guard->highest;
        guard->window = (ahead < WINDOW ? guard->window << ahead : 0) | 1;
        guard->highest = sequence;
        return true;
    }
    const uint64_t behind = guard->highest - sequence;
    if (behind >= WINDOW || (guard->window >> behind & 1))
        return false;
    guard->window |= UINT64_C(1) << behind;
    return true;
}

static bool take(struct datagram_guard *guard, const uint8_t *bytes, size_t size,
                 struct wire_message *message) {
    const char *why;
    if (guard->session_id == 0 || size < WIRE_HEADER_BYTES + WIRE_TAG_BYTES ||
        size > WIRE_MAX_DATAGRAM_BYTES || !authentic(guard, bytes, size - WIRE_TAG_BYTES))
        return false;
    if (wire_check(bytes, size - WIRE_TAG_BYTES, message, &why) != WIRE_GOOD ||
        message->template_id != WIRE_START_STOP)
        return false;
    WIRE_DECODE(startStop, codec, message);
    return sdd_wire_startStop_sessionId(&codec) == guard->session_id &&
           fresh(guard, sdd_wire_startStop_sequence(&codec));
}

bool datagram_take(struct datagram_guard *guard, const uint8_t *bytes, size_t size,
                   struct wire_message *message) {
    const bool good = take(guard, bytes, size, message);
    guard->accepted += good;
    guard->refused += !good;
    return good;
}

uint64_t datagram_lost(const struct datagram_guard *guard) {
    return guard->highest - guard->accepted;
}
