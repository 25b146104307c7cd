#include "instance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The user of the package's service. */
#define SERVICE_USER "evenweave-edge"

static const char lock_end[] = ".lock", socket_end[] = ".socket";

bool instance_is_trusted(uid_t user) {
    if (user == 0 || user == geteuid())
        return true;
    struct passwd entry, *service = NULL;
    char text[1024];
    return getpwnam_r(SERVICE_USER, &entry, text, sizeof text, &service) == 0 && service &&
           service->pw_uid == user;
}

/* Returns the folder's descriptor or a negative errno. */
static int open_folder(bool make) {
    struct stat found;
    if (make && mkdir(INSTANCE_FOLDER, 0700) < 0 && errno != EEXIST)
        return -errno;
    const int folder = open(INSTANCE_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return -errno;
    if (fstat(folder, &found) == 0 && instance_is_trusted(found.st_uid) &&
        (found.st_mode & 077) == 0)
        return folder;
    close(folder);
    return -EPERM;
}

static bool name_file(const char *device, const char *end, char name[INSTANCE_PATH_BYTES]) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    const int asked = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool known =
        asked >= 0 && getsockopt(asked, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) == 0;
    if (asked >= 0)
        close(asked);
    snprintf(name, INSTANCE_PATH_BYTES, "%" PRIu64 "-%s%s", cookie, device, end);
    return known;
}

/* Tries to lock the file, or with F_OFD_GETLK only tests whether the lock is free. */
static bool is_free(int file, int command) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, command, &lock) == 0 && (command == F_OFD_SETLK || lock.l_type == F_UNLCK);
}

/* Returns the locked file or a negative errno. The folder must be locked. */
static int take_file(int folder, const char *name) {
    const int file = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return -errno;
    if (is_free(file, F_OFD_SETLK))
        return file;
    close(file);
    return -EBUSY;
}

/* Removes a lock's file and its socket. */
static void remove_files(int folder, const char *name) {
    char other[INSTANCE_PATH_BYTES];
    const size_t stem = strlen(name) - strlen(lock_end);
    snprintf(other, sizeof other, "%.*s%s", (int)stem, name, socket_end);
    (void)unlinkat(folder, other, 0);
    (void)unlinkat(folder, name, 0);
}

static int is_lock(const struct dirent *entry) {
    const size_t length = strlen(entry->d_name), end = strlen(lock_end);
    return length > end && length < INSTANCE_PATH_BYTES - sizeof socket_end &&
           strcmp(entry->d_name + length - end, lock_end) == 0;
}

/* Removes the files of killed processes, whose network namespaces may no longer exist. */
static void remove_left(int folder) {
    struct dirent **locks = NULL;
    int count = scandirat(folder, ".", &locks, is_lock, NULL);
    while (count-- > 0) {
        const char *name = locks[count]->d_name;
        const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file >= 0 && is_free(file, F_OFD_GETLK))
            remove_files(folder, name);
        if (file >= 0)
            close(file);
        free(locks[count]);
    }
    free(locks);
}

/* Locks the folder for creating or removing files. Returns its descriptor or a negative errno. */
static int lock_folder(bool make) {
    for (;;) {
        struct stat found;
        const int folder = open_folder(make);
        if (folder < 0)
            return folder;
        if (flock(folder, LOCK_EX) < 0 || fstat(folder, &found) < 0) {
            const int error = errno;
            close(folder);
            return -error;
        }
        if (found.st_nlink > 0)
            return folder;
        close(folder); /* the last process removed it meanwhile */
    }
}

int instance_take(struct instance *instance, const char *device) {
    char name[INSTANCE_PATH_BYTES];
    *instance = (struct instance){.lock = -1};
    snprintf(instance->device, sizeof instance->device, "%s", device);
    const int folder = lock_folder(true);
    if (folder < 0)
        return folder;
    const bool good = name_file(device, lock_end, name);
    const int error = errno;
    if (good) {
        remove_left(folder);
        instance->lock = take_file(folder, name);
    }
    close(folder);
    return good ? instance->lock < 0 ? instance->lock : 0 : -error;
}

void instance_leave(struct instance *instance) {
    char name[INSTANCE_PATH_BYTES];
    const int folder = lock_folder(false);
    if (folder >= 0 && name_file(instance->device, lock_end, name))
        remove_files(folder, name);
    (void)rmdir(INSTANCE_FOLDER); /* fails if other processes have files in it */
    close(instance->lock);
    if (folder >= 0)
        close(folder);
    instance->lock = -1;
}

bool instance_is_taken(const char *device) {
    char name[INSTANCE_PATH_BYTES];
    const int folder = open_folder(false);
    if (folder < 0)
        return false;
    const int file = name_file(device, lock_end, name)
                         ? openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                         : -1;
    const bool taken = file >= 0 && !is_free(file, F_OFD_GETLK);
    if (file >= 0)
        close(file);
    close(folder);
    return taken;
}

bool instance_socket(const char *device, char path[INSTANCE_PATH_BYTES]) {
    char name[INSTANCE_PATH_BYTES];
    const int folder = open_folder(false);
    if (folder < 0)
        return false;
    close(folder);
    return name_file(device, socket_end, name) &&
           snprintf(path, INSTANCE_PATH_BYTES, "%s/%s", INSTANCE_FOLDER, name) <
               INSTANCE_PATH_BYTES;
}
