#include "keys.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char label[] = "evenweave edge "; /* without its end */

enum { LABEL_BYTES = sizeof label - 1, HEX_DIGITS = 2 * SECRET_BYTES, MOST_BYTES = 1024 };

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_line(const char *line, size_t length, uint8_t secret[SECRET_BYTES]) {
    if (length != HEX_DIGITS)
        return false;
    for (size_t i = 0; i < SECRET_BYTES; i++) {
        const int high = digit(line[2 * i]), low = digit(line[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        secret[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* Null, or what is wrong. */
static const char *read_lines(const char *text, size_t size, struct secrets *secrets) {
    secrets->count = 0;
    for (const char *line = text, *end = text + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((stop ? stop : end) - line);
        if (secrets->count == EDGE_ACCEPTED_KEYS)
            return "has more than two lines";
        if (!read_line(line, length, secrets->bytes[secrets->count]))
            return "must have one or two lines of 64 hexadecimal digits";
        secrets->count++;
        line += length + 1;
    }
    return secrets->count ? NULL : "is empty";
}

/* Null, or why the file is not one of secrets. */
static const char *check_file(int file) {
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return strerrordesc_np(errno);
    if (!S_ISREG(status.st_mode))
        return "is not a file";
    return status.st_mode & (S_IRWXG | S_IRWXO)
               ? "can be read or written by others than its owner: use mode 0600"
               : NULL;
}

bool secrets_read(const char *path, struct secrets *secrets, char *error, size_t error_size) {
    char text[MOST_BYTES];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const char *why = check_file(file);
    if (!why) {
        const ssize_t size = read(file, text, sizeof text);
        why = size < 0 ? strerrordesc_np(errno) : read_lines(text, (size_t)size, secrets);
        OPENSSL_cleanse(text, sizeof text);
    }
    if (file >= 0)
        close(file);
    if (why)
        snprintf(error, error_size, "%s: %s", path, why);
    return !why;
}

static void put_address(uint8_t at[16], const struct edge_address *address) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    const bool is_ipv4 = address->family == 4;
    memcpy(at, mapped, sizeof mapped);
    memcpy(at + (is_ipv4 ? sizeof mapped : 0), address->words, is_ipv4 ? 4 : 16);
}

static bool derive(const uint8_t secret[SECRET_BYTES], const struct edge_address *from,
                   const struct edge_address *to, struct edge_key *key) {
    uint8_t message[LABEL_BYTES + 32], code[EVP_MAX_MD_SIZE] = {0};
    unsigned size = 0;
    memcpy(message, label, LABEL_BYTES);
    put_address(message + LABEL_BYTES, from);
    put_address(message + LABEL_BYTES + 16, to);
    const bool good =
        HMAC(EVP_sha256(), secret, SECRET_BYTES, message, sizeof message, code, &size) &&
        size >= sizeof *key;
    for (unsigned word = 0; word < 2; word++) {
        key->words[word] = 0;
        for (unsigned i = 8; i-- > 0;)
            key->words[word] = key->words[word] << 8 | code[8 * word + i];
    }
    OPENSSL_cleanse(code, sizeof code);
    return good;
}

bool secrets_derive(const struct secrets *secrets, const struct edge_address *own,
                    const struct edge_address *peer, struct edge_keys *keys) {
    bool good = derive(secrets->bytes[0], own, peer, &keys->out);
    for (unsigned i = 0; i < secrets->count; i++)
        good &= derive(secrets->bytes[i], peer, own, &keys->in[i]);
    keys->count = secrets->count;
    return good;
}

bool keys_load(struct config *config, char *error, size_t error_size) {
    struct secrets secrets = {0};
    char why[400];
    bool good = true;
    if (!config->authentication.key_file[0])
        return true;
    if (!secrets_read(config->authentication.key_file, &secrets, why, sizeof why)) {
        snprintf(error, error_size, "authentication.keyFile: %s", why);
        return false;
    }
    for (unsigned i = 0; i < config->peers_count; i++)
        good &= secrets_derive(&secrets, &config->address, &config->peers[i].address,
                               &config->peers[i].keys);
    OPENSSL_cleanse(&secrets, sizeof secrets);
    if (!good)
        snprintf(error, error_size, "authentication.keyFile: OpenSSL cannot derive keys");
    return good;
}

void keys_carry_over(const struct config *now, struct config *config) {
    if (!config->authentication.enabled || config->authentication.key_file[0])
        return;
    for (unsigned i = 0; i < config->peers_count; i++)
        for (unsigned n = 0; n < now->peers_count; n++)
            if (address_same(&config->peers[i].address, &now->peers[n].address)) {
                config->peers[i].keys = now->peers[n].keys;
                config->peers[i].keys.required = 1;
            }
}
