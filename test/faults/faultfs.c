/*
 * Preloaded into a process, makes its n-th file call fail, tear, kill or stop it.
 * Build: cc -shared -fPIC -O2 -o faultfs.so faultfs.c -ldl -lpthread
 *
 * Counted is each call that changes something at or below FAULT_DIR: open with
 * O_CREAT or O_TRUNC, write, truncate, fsync, rename, link, unlink, mkdir, rmdir, chmod.
 *
 *   FAULT_DIR     absolute path without links; without it nothing is counted
 *   FAULT_EXCEPT  a folder below it whose calls are left alone: the other side of a channel
 *   FAULT_AT      number of the call to hit, from 1; 0 only counts
 *   FAULT_DO      ENOSPC EIO EDQUOT EROFS   the call fails
 *                 SHORT      a write takes half and says so
 *                 SHORTERR   a write takes half, and the disk is full from then on
 *                 KILL TORN KILLAFTER   SIGKILL before, half way through, and after the call
 *                 STOP       SIGSTOP before the call
 *   FAULT_STICKY  1: every later call fails too (errors only)
 *   FAULT_LOG     gets a line "number call path" for each counted call, "!" before the one that was hit
 *
 * Children are not touched: the variables are taken out of the environment.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum verdict { GO, FAIL, HALF, HALF_THEN_DIE, DIE_AFTER };

static char root[4096], except[4096], act[16];
static long at, count;
static int fail_errno, is_sticky, is_full, log_fd = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(const char *name, char *into, size_t size) {
  const char *value = getenv(name);
  snprintf(into, size, "%s", value ? value : "");
  unsetenv(name);
}

__attribute__((constructor)) static void begin(void) {
  char text[4096];
  take("FAULT_DIR", root, sizeof root);
  take("FAULT_EXCEPT", except, sizeof except);
  take("FAULT_DO", act, sizeof act);
  take("FAULT_AT", text, sizeof text);
  at = atol(text);
  take("FAULT_STICKY", text, sizeof text);
  is_sticky = text[0] == '1';
  take("FAULT_LOG", text, sizeof text);
  if (text[0]) log_fd = syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  unsetenv("LD_PRELOAD");
  const struct { const char *name; int number; } errors[] = {
    {"ENOSPC", ENOSPC}, {"SHORTERR", ENOSPC}, {"EIO", EIO}, {"EDQUOT", EDQUOT}, {"EROFS", EROFS}};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (!strcmp(act, errors[i].name)) fail_errno = errors[i].number;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void path_of_fd(int fd, char *into, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, into, size - 1);
  into[length < 0 ? 0 : length] = 0;
}

static void path_at(int dir_fd, const char *path, char *into, size_t size) {
  char dir[4096] = "";
  if (path[0] == '/') {
    snprintf(into, size, "%s", path);
    return;
  }
  if (dir_fd != AT_FDCWD) path_of_fd(dir_fd, dir, sizeof dir);
  else if (!getcwd(dir, sizeof dir)) dir[0] = 0;
  snprintf(into, size, "%s/%s", dir, path);
}

static int is_below(const char *dir, const char *path) {
  size_t length = strlen(dir);
  return length > 0 && !strncmp(path, dir, length) && (path[length] == '/' || path[length] == 0);
}

static void note(long number, int is_hit, const char *call, const char *path) {
  char line[8400];
  if (log_fd < 0) return;
  int length = snprintf(line, sizeof line, "%s%ld %s %s\n", is_hit ? "!" : "", number, call, path);
  (void)!syscall(SYS_write, log_fd, line, length);
}

/* A full disk still truncates, renames and removes. */
static int needs_space(const char *call) {
  return !strcmp(call, "write") || !strcmp(call, "create") || !strcmp(call, "mkdir") || !strcmp(call, "link");
}

static enum verdict judge(const char *call, const char *path) {
  if (!is_below(root, path) || is_below(except, path)) return GO;
  pthread_mutex_lock(&mutex);
  long number = ++count;
  int is_hit = at > 0 && number == at;
  int is_later = at > 0 && number > at && fail_errno && (is_sticky || (is_full && needs_space(call)));
  if (is_hit && !strcmp(act, "SHORTERR")) is_full = 1;
  note(number, is_hit || is_later, call, path);
  pthread_mutex_unlock(&mutex);
  if (is_later) {
    errno = fail_errno;
    return FAIL;
  }
  if (!is_hit) return GO;
  if (!strcmp(act, "KILL")) die();
  if (!strcmp(act, "STOP")) {
    kill(getpid(), SIGSTOP);
    return GO;
  }
  if (!strcmp(act, "SHORT") || !strcmp(act, "SHORTERR")) return HALF;
  if (!strcmp(act, "TORN")) return HALF_THEN_DIE;
  if (!strcmp(act, "KILLAFTER")) return DIE_AFTER;
  errno = fail_errno;
  return FAIL;
}

#define REAL(result, name, ...)                 \
  static result (*real)(__VA_ARGS__);           \
  if (!real) real = dlsym(RTLD_NEXT, name)

/* `half` is what a write does with the first half of its bytes; other calls are all or nothing. */
#define ACT(verdict_, whole, half)              \
  switch (verdict_) {                           \
  case FAIL: return -1;                         \
  case HALF: return half;                       \
  case HALF_THEN_DIE: (void)!(half); die();     \
  case DIE_AFTER: (void)!(whole); die();        \
  case GO: break;                               \
  }                                             \
  return whole

#define ON_FD(call, fd, whole, half)            \
  char path_[4096];                             \
  path_of_fd(fd, path_, sizeof path_);          \
  ACT(judge(call, path_), whole, half)

#define ON_PATH(call, dir_fd, path, whole)      \
  char path_[8200];                             \
  path_at(dir_fd, path, path_, sizeof path_);   \
  ACT(judge(call, path_), whole, whole)

ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  ON_FD("write", fd, real(fd, bytes, size), real(fd, bytes, size / 2));
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t offset) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
  ON_FD("write", fd, real(fd, bytes, size, offset), real(fd, bytes, size / 2, offset));
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) { return pwrite64(fd, bytes, size, offset); }

static ssize_t half_of(int fd, const struct iovec *parts, off_t offset) {
  size_t size = parts[0].iov_len / 2;
  if (offset < 0) return syscall(SYS_write, fd, parts[0].iov_base, size);
  return syscall(SYS_pwrite64, fd, parts[0].iov_base, size, offset);
}
ssize_t writev(int fd, const struct iovec *parts, int length) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  ON_FD("write", fd, real(fd, parts, length), half_of(fd, parts, -1));
}
ssize_t pwritev64(int fd, const struct iovec *parts, int length, off_t offset) {
  REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off_t);
  ON_FD("write", fd, real(fd, parts, length, offset), half_of(fd, parts, offset));
}
ssize_t pwritev(int fd, const struct iovec *parts, int length, off_t offset) { return pwritev64(fd, parts, length, offset); }

int fsync(int fd) {
  REAL(int, "fsync", int);
  ON_FD("fsync", fd, real(fd), real(fd));
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  ON_FD("fsync", fd, real(fd), real(fd));
}
int ftruncate64(int fd, off_t size) {
  REAL(int, "ftruncate64", int, off_t);
  ON_FD("truncate", fd, real(fd, size), real(fd, size));
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
int fchmod(int fd, mode_t mode) {
  REAL(int, "fchmod", int, mode_t);
  ON_FD("chmod", fd, real(fd, mode), real(fd, mode));
}

int truncate64(const char *path, off_t size) {
  REAL(int, "truncate64", const char *, off_t);
  ON_PATH("truncate", AT_FDCWD, path, real(path, size));
}
int truncate(const char *path, off_t size) { return truncate64(path, size); }
int chmod(const char *path, mode_t mode) {
  REAL(int, "chmod", const char *, mode_t);
  ON_PATH("chmod", AT_FDCWD, path, real(path, mode));
}
int fchmodat(int dir_fd, const char *path, mode_t mode, int flags) {
  REAL(int, "fchmodat", int, const char *, mode_t, int);
  ON_PATH("chmod", dir_fd, path, real(dir_fd, path, mode, flags));
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  ON_PATH("rename", AT_FDCWD, to, real(from, to));
}
int renameat(int from_fd, const char *from, int to_fd, const char *to) {
  REAL(int, "renameat", int, const char *, int, const char *);
  ON_PATH("rename", to_fd, to, real(from_fd, from, to_fd, to));
}
int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags) {
  REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
  ON_PATH("rename", to_fd, to, real(from_fd, from, to_fd, to, flags));
}
int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  ON_PATH("link", AT_FDCWD, to, real(from, to));
}
int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags) {
  REAL(int, "linkat", int, const char *, int, const char *, int);
  ON_PATH("link", to_fd, to, real(from_fd, from, to_fd, to, flags));
}
int symlink(const char *target, const char *path) {
  REAL(int, "symlink", const char *, const char *);
  ON_PATH("link", AT_FDCWD, path, real(target, path));
}
int symlinkat(const char *target, int dir_fd, const char *path) {
  REAL(int, "symlinkat", const char *, int, const char *);
  ON_PATH("link", dir_fd, path, real(target, dir_fd, path));
}
int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  ON_PATH("unlink", AT_FDCWD, path, real(path));
}
int unlinkat(int dir_fd, const char *path, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  ON_PATH(flags & AT_REMOVEDIR ? "rmdir" : "unlink", dir_fd, path, real(dir_fd, path, flags));
}
int rmdir(const char *path) {
  REAL(int, "rmdir", const char *);
  ON_PATH("rmdir", AT_FDCWD, path, real(path));
}
int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  ON_PATH("mkdir", AT_FDCWD, path, real(path, mode));
}
int mkdirat(int dir_fd, const char *path, mode_t mode) {
  REAL(int, "mkdirat", int, const char *, mode_t);
  ON_PATH("mkdir", dir_fd, path, real(dir_fd, path, mode));
}

static int open_at(int dir_fd, const char *path, int flags, mode_t mode) {
#define REAL_OPEN (int)syscall(SYS_openat, dir_fd, path, flags, mode)
  if (!(flags & (O_CREAT | O_TRUNC))) return REAL_OPEN;
  ON_PATH("create", dir_fd, path, REAL_OPEN);
}
#define MODE_ARGUMENT                           \
  mode_t mode = 0;                              \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list rest;                               \
    va_start(rest, flags);                      \
    mode = va_arg(rest, mode_t);                \
    va_end(rest);                               \
  }
int open(const char *path, int flags, ...) {
  MODE_ARGUMENT
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE_ARGUMENT
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int dir_fd, const char *path, int flags, ...) {
  MODE_ARGUMENT
  return open_at(dir_fd, path, flags, mode);
}
int openat64(int dir_fd, const char *path, int flags, ...) {
  MODE_ARGUMENT
  return open_at(dir_fd, path, flags, mode);
}
