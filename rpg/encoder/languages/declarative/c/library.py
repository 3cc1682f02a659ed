"""Names of C's library and of POSIX: functions, macros, constants, types.

In: nothing. Out: `LIBRARY`. A header that gives one of them to platforms without it is meant only by files that include
it.
"""

from __future__ import annotations

from typing import Final

_NAMES: Final = """
AF_INET AF_INET6 AF_UNIX BUFSIZ CHAR_BIT CHAR_MAX CHAR_MIN CLOCKS_PER_SEC CLOCK_MONOTONIC CLOCK_REALTIME DBL_DIG
DBL_EPSILON DBL_MAX DBL_MIN DIR EACCES EADDRINUSE EAGAIN EALREADY EBADF EBUSY ECONNREFUSED ECONNRESET EDOM EEXIST
EFAULT EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EMFILE ENAMETOOLONG ENOENT ENOMEM ENOSPC ENOSYS ENOTCONN ENOTDIR
ENOTEMPTY ENOTSUP ENOTSUPP EOF EOVERFLOW EPERM EPIPE ERANGE ETIMEDOUT EWOULDBLOCK EXIT_FAILURE EXIT_SUCCESS
FD_CLOEXEC FD_ISSET FD_SET FD_ZERO FILE FLT_EPSILON FLT_MAX FLT_MIN F_GETFL F_OK F_SETFL HUGE_VAL INADDR_ANY
INET6_ADDRSTRLEN INET_ADDRSTRLEN INFINITY INT16_C INT16_MAX INT16_MIN INT32_C INT32_MAX INT32_MIN INT64_C INT64_MAX
INT64_MIN INT8_C INT8_MAX INT8_MIN INTMAX_C INTMAX_MAX INTMAX_MIN INTPTR_MAX INTPTR_MIN INT_MAX INT_MIN IOV_MAX
IPPROTO_TCP LC_ALL LC_CTYPE LC_NUMERIC LDBL_MAX LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN M_E M_LN2 M_PI M_PI_2 M_PI_4
M_SQRT2 NAME_MAX NAN NULL O_APPEND O_CLOEXEC O_CREAT O_EXCL O_NONBLOCK O_RDONLY O_RDWR O_TRUNC O_WRONLY PATH_MAX
PRIX32 PRIX64 PRId16 PRId32 PRId64 PRId8 PRIdMAX PRIdPTR PRIi32 PRIi64 PRIo64 PRIu16 PRIu32 PRIu64 PRIu8 PRIuMAX
PRIuPTR PRIx16 PRIx32 PRIx64 PRIx8 PRIxMAX PRIxPTR PTHREAD_COND_INITIALIZER PTHREAD_MUTEX_INITIALIZER PTRDIFF_MAX
PTRDIFF_MIN RAND_MAX R_OK SCHAR_MAX SCHAR_MIN SCNd32 SCNd64 SCNu32 SCNu64 SCNx64 SEEK_CUR SEEK_END SEEK_SET SHRT_MAX
SHRT_MIN SIGABRT SIGALRM SIGBUS SIGCHLD SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT SIGSEGV SIGSTOP SIGTERM
SIGUSR1 SIGUSR2 SIG_BLOCK SIG_DFL SIG_ERR SIG_IGN SIG_SETMASK SIG_UNBLOCK SIZE_MAX SOCK_DGRAM SOCK_STREAM SOL_SOCKET
SO_ERROR SO_KEEPALIVE SO_REUSEADDR SSIZE_MAX STDERR_FILENO STDIN_FILENO STDOUT_FILENO S_IFDIR S_IFMT S_IFREG S_ISDIR
S_ISLNK S_ISREG TCP_NODELAY UCHAR_MAX UINT16_C UINT16_MAX UINT32_C UINT32_MAX UINT64_C UINT64_MAX UINT8_C UINT8_MAX
UINTMAX_C UINTMAX_MAX UINTPTR_MAX UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX W_OK X_OK _Bool _Exit abort abs accept
access acos acosf acosh acosl addrinfo alarm aligned_alloc arc4random asctime asin asinf asinh asinl asprintf assert
atan atan2 atan2f atan2l atanf atanh atanl atexit atof atoi atol atoll bcmp bcopy bind bool bsearch btowc bzero
calloc cbrt cbrtf cbrtl ceil ceilf ceill chdir chmod chown clearerr clock clock_getres clock_gettime clock_t
clockid_t close closedir connect copysign copysignf cos cosf cosh cosl ctime ctime_r difftime dirent div dlclose
dlerror dlopen dlsym dprintf dup dup2 erf erfc errno execl execlp execv execve execvp exit exp exp2 expf expl
explicit_bzero expm1 fabs fabsf fabsl false fchmod fchown fclose fcntl fd_set fdatasync fdim fdopen feof ferror
fflush ffs ffsl ffsll fgetc fgetpos fgets fileno flock floor floorf floorl fma fmax fmaxf fmin fminf fmod fmodf
fmodl fopen fork fpclassify fprintf fputc fputs fread free freeaddrinfo freopen frexp fscanf fseek fseeko fsetpos
fstat fsync ftell ftello ftruncate fwide fwrite gai_strerror getaddrinfo getc getchar getcwd getdelim getegid getenv
geteuid getgid gethostbyname gethostname getline getnameinfo getopt getopt_long getpagesize getpeername getpid
getppid getpwnam getpwuid getrlimit getrusage getsockname getsockopt gettimeofday getuid gid_t gmtime gmtime_r htonl
htons hypot hypotf ilogb imaxabs index inet_addr inet_ntoa inet_ntop inet_pton int16_t int32_t int64_t int8_t
int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t
intptr_t ioctl iovec isalnum isalpha isascii isatty isblank iscntrl isdigit isfinite isgraph isgreater
isgreaterequal isinf isless islessequal islessgreater islower isnan isnormal isprint ispunct isspace isunordered
isupper iswalnum iswalpha iswdigit iswprint iswspace isxdigit jmp_buf kill labs ldexp ldiv lgamma listen llabs lldiv
llrint llround localeconv localtime localtime_r log log10 log10f log1p log2 log2f logb logf logl longjmp lrint
lround lseek lstat malloc max_align_t mblen mbrlen mbrtowc mbsrtowcs mbstate_t mbstowcs mbtowc memccpy memchr memcmp
memcpy memmem memmove mempcpy memset mkdir mkdtemp mkfifo mkstemp mktime mlock mmap mode_t modf modff modfl mprotect
msync munmap nan nanosleep nearbyint nextafter nice ntohl ntohs off_t offsetof open open_memstream opendir pathconf
pause pclose perror pid_t pipe poll pollfd popen posix_memalign pow powf powl pread printf pthread_attr_t
pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_t
pthread_cond_timedwait pthread_cond_wait pthread_create pthread_detach pthread_exit pthread_getspecific pthread_join
pthread_key_create pthread_key_t pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_t
pthread_mutex_trylock pthread_mutex_unlock pthread_once pthread_once_t pthread_self pthread_setspecific
pthread_sigmask pthread_t ptrdiff_t putc putchar putenv puts pwrite qsort raise rand rand_r random read readdir
readlink readv realloc reallocarray realpath recv recvfrom recvmsg regcomp regerror regex_t regexec regfree
remainder rename rewind rindex rint rintf rlimit rmdir round roundf roundl rusage scalbn scanf sched_yield select
sem_init sem_post sem_t sem_wait send sendfile sendmsg sendto setbuf setenv setgid setjmp setlocale setpgid
setrlimit setsid setsockopt settimeofday setuid setvbuf shutdown sig_atomic_t sigaction sigaddset sigdelset
sigemptyset sigfillset siginfo_t siglongjmp signal signbit sigprocmask sigset_t sigsetjmp sigwait sin sinf sinh sinl
size_t sleep snprintf sockaddr sockaddr_in sockaddr_in6 sockaddr_storage sockaddr_un socket socketpair socklen_t
sprintf sqrt sqrtf sqrtl srand srandom sscanf ssize_t stat static_assert stderr stdin stdout stpcpy strcasecmp
strcasestr strcat strchr strcmp strcoll strcpy strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen
strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod
strtof strtoimax strtok strtok_r strtol strtold strtoll strtoul strtoull strtoumax strxfrm symlink sync sysconf
system tan tanf tanh tanl tgamma time time_t timegm timespec timeval timezone tm tmpfile tmpnam toascii tolower
toupper towlower towupper true trunc truncate truncf truncl ttyname tzset uid_t uint16_t uint32_t uint64_t uint8_t
uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t
uintmax_t uintptr_t umask uname ungetc unlink unsetenv usleep utime utimes va_arg va_copy va_end va_list va_start
vasprintf vfork vfprintf vprintf vsnprintf vsprintf vsscanf wait waitpid wchar_t wcrtomb wcscat wcschr wcscmp wcscpy
wcslen wcsncmp wcsncpy wcsrtombs wcstombs wctomb wcwidth wint_t wmemcpy wmemset write writev
"""
LIBRARY: Final = frozenset(_NAMES.split())
