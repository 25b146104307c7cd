#include "datagram.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

enum { WINDOW = 64, FULL_TAG_BYTES = 32 };

bool datagram_open(struct datagram_filter *filter) {
    *filter = (struct datagram_filter){0};
    EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    filter->mac = hmac ? EVP_MAC_CTX_new(hmac) : NULL;
    EVP_MAC_free(hmac);
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end()};
    return filter->mac && EVP_MAC_CTX_set_params(filter->mac, parameters) == 1;
}

void datagram_close(struct datagram_filter *filter) {
    EVP_MAC_CTX_free(filter->mac);
    OPENSSL_cleanse(filter, sizeof *filter);
}

void datagram_begin(struct datagram_filter *filter, uint64_t session_id,
                    const uint8_t key[WIRE_KEY_BYTES]) {
    EVP_MAC_CTX *mac = filter->mac;
    *filter = (struct datagram_filter){.mac = mac, .session_id = session_id};
    memcpy(filter->key, key, sizeof filter->key);
}

static bool authentic(struct datagram_filter *filter, const uint8_t *bytes, size_t size) {
    uint8_t tag[FULL_TAG_BYTES];
    size_t length = 0;
    return EVP_MAC_init(filter->mac, filter->key, sizeof filter->key, NULL) == 1 &&
           EVP_MAC_update(filter->mac, bytes, size) == 1 &&
           EVP_MAC_final(filter->mac, tag, &length, sizeof tag) == 1 && length == sizeof tag &&
           CRYPTO_memcmp(tag, bytes + size, WIRE_TAG_BYTES) == 0;
}

/* Marks the sequence number as seen; returns whether it was new. */
static bool fresh(struct datagram_filter *filter, uint64_t sequence) {
    if (sequence == 0)
        return false;
    if (sequence > filter->highest) {
        const uint64_t ahead = sequence - filter->highest;
        filter->window = (ahead < WINDOW ? filter->window << ahead : 0) | 1;
        filter->highest = sequence;
        return true;
    }
    const uint64_t behind = filter->highest - sequence;
    if (behind >= WINDOW || (filter->window >> behind & 1))
        return false;
    filter->window |= UINT64_C(1) << behind;
    return true;
}

static bool take(struct datagram_filter *filter, const uint8_t *bytes, size_t size,
                 struct wire_message *message) {
    const char *why;
    if (filter->session_id == 0 || size < WIRE_HEADER_BYTES + WIRE_TAG_BYTES ||
        size > WIRE_MAX_DATAGRAM_BYTES || !authentic(filter, bytes, size - WIRE_TAG_BYTES))
        return false;
    if (wire_check(bytes, size - WIRE_TAG_BYTES, message, &why) != WIRE_GOOD ||
        message->template_id != WIRE_START_STOP)
        return false;
    WIRE_DECODE(startStop, codec, message);
    return sdd_wire_startStop_sessionId(&codec) == filter->session_id &&
           fresh(filter, sdd_wire_startStop_sequence(&codec));
}

bool datagram_accept(struct datagram_filter *filter, const uint8_t *bytes, size_t size,
                     struct wire_message *message) {
    const bool good = take(filter, bytes, size, message);
    filter->accepted += good;
    filter->refused += !good;
    return good;
}

uint64_t datagram_lost(const struct datagram_filter *filter) {
    return filter->highest - filter->accepted;
}
