#include "tls_peer.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/pem.h>
#include <openssl/x509v3.h>

static void must(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "tls_peer: %s\n", what);
        exit(1);
    }
}

static X509 *self_signed(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)TLS_PEER_NAME, -1,
                               -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_EXTENSION *names =
        X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:" TLS_PEER_NAME);
    must(names && X509_add_ext(certificate, names, -1) == 1, "extension");
    X509_EXTENSION_free(names);
    must(X509_sign(certificate, key, EVP_sha256()) > 0, "signature");
    return certificate;
}

static void write_credentials(struct tls_peer *peer) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    must(key != NULL, "key");
    X509 *certificate = self_signed(key);
    FILE *file = fopen(peer->certificate, "w");
    must(file && PEM_write_X509(file, certificate) == 1 && fclose(file) == 0, "certificate file");
    file = fopen(peer->key, "w");
    must(file && PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL) == 1 &&
             fclose(file) == 0,
         "key file");
    X509_free(certificate);
    EVP_PKEY_free(key);
}

void tls_peer_open(struct tls_peer *peer) {
    *peer = (struct tls_peer){0};
    snprintf(peer->folder, sizeof peer->folder, "/tmp/evw-peer-XXXXXX");
    must(mkdtemp(peer->folder) != NULL, "folder");
    snprintf(peer->certificate, sizeof peer->certificate, "%s/peer.crt", peer->folder);
    snprintf(peer->key, sizeof peer->key, "%s/peer.key", peer->folder);
    write_credentials(peer);
    peer->context = SSL_CTX_new(TLS_server_method());
    must(SSL_CTX_use_certificate_file(peer->context, peer->certificate, SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_use_PrivateKey_file(peer->context, peer->key, SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_load_verify_locations(peer->context, peer->certificate, NULL) == 1,
         "context");
    SSL_CTX_set_verify(peer->context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    peer->listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(peer->listening, (struct sockaddr *)&address, sizeof address) == 0 &&
             listen(peer->listening, 1) == 0 &&
             getsockname(peer->listening, (struct sockaddr *)&address, &size) == 0,
         "socket");
    peer->port = ntohs(address.sin_port);
}

void tls_peer_close(struct tls_peer *peer) {
    close(peer->listening);
    SSL_CTX_free(peer->context);
    unlink(peer->certificate);
    unlink(peer->key);
    rmdir(peer->folder);
}

static void exchange(const struct peer_plan *plan, SSL *tls) {
    uint8_t bytes[4096];
    if (plan->greeting)
        must(SSL_write(tls, plan->greeting, (int)plan->greeting_bytes) > 0, "greeting");
    size_t left = plan->ending == PEER_SILENT ? SIZE_MAX : plan->bytes;
    while (left > 0) {
        size_t count;
        if (SSL_read_ex(tls, bytes, left < sizeof bytes ? left : sizeof bytes, &count) != 1)
            return;
        left -= count;
    }
    if (plan->ending == PEER_CLOSE_NOTIFY)
        SSL_shutdown(tls);
}

static void *run(void *argument) {
    struct tls_peer *peer = argument;
    /* the client is under test: the server's own writes must not terminate the process */
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    int connection = accept(peer->listening, NULL, NULL);
    must(connection >= 0, "accept");
    SSL *tls = SSL_new(peer->context);
    SSL_set_fd(tls, connection);
    if (!peer->plan.before_handshake && SSL_accept(tls) == 1)
        exchange(&peer->plan, tls);
    if (peer->plan.ending == PEER_RESET) {
        const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    SSL_free(tls);
    close(connection);
    return NULL;
}

void tls_peer_start(struct tls_peer *peer, struct peer_plan plan) {
    peer->plan = plan;
    must(pthread_create(&peer->thread, NULL, run, peer) == 0, "thread");
}

void tls_peer_join(struct tls_peer *peer) {
    pthread_join(peer->thread, NULL);
}
