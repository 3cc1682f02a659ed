"""Python's own names, frozen: names bound without an import, standard-library modules, methods of builtin types.

Out: sets of names, taken once from the documentation, never from the running interpreter.
"""

from __future__ import annotations

from typing import Final

BUILTINS: Final = frozenset(
    """
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError
    FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
    IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning
    PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
    SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError
    UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError
    ZeroDivisionError __all__ __annotations__ __build_class__ __builtins__ __class__ __debug__ __dict__ __doc__
    __file__ __import__ __loader__ __module__ __name__ __package__ __path__ __qualname__ __spec__ abs aiter all
    anext any apply ascii basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod cmp
    coerce compile complex copyright credits delattr dict dir divmod enumerate eval exec execfile exit file
    filter float format frozenset getattr globals hasattr hash help hex id input int intern isinstance
    issubclass iter len license list locals long map max memoryview min next object oct open ord pow print
    property quit range raw_input reduce repr reveal_locals reveal_type reversed round set setattr slice sorted
    staticmethod str sum super tuple type unichr unicode vars xrange zip
    """.split()
)
"""Bound everywhere; includes those of Python 2, so that old code is not unresolved."""

STANDARD_MODULES: Final = frozenset(
    """
    __future__ _abc _ast _asyncio _bisect _codecs _collections _collections_abc _csv _ctypes _curses _datetime
    _decimal _functools _heapq _imp _io _json _locale _operator _pickle _random _socket _sqlite3 _sre _ssl
    _string _struct _thread _typeshed _warnings _weakref _weakrefset _winapi abc aifc annotationlib antigravity
    argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile
    calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
    configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal
    difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
    fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib
    heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
    lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
    multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev
    pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats
    pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
    rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
    socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
    subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
    threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types
    typing typing_extensions unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg
    winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
    """.split()
)
"""Top-level modules of the standard library, of every version since 3.8."""

GIVE_BACK: Final = frozenset(
    """
    _asyncio _collections _functools _heapq _operator _pickle _random _thread _weakref ast asyncio atexit bisect
    builtins cmd code collections concurrent contextlib contextvars copy copyreg ctypes dataclasses enum functools
    gc graphlib heapq imp importlib inspect itertools json marshal multiprocessing operator pickle pkgutil plistlib
    pprint queue random runpy sched selectors shelve statistics threading tkinter types typing typing_extensions
    unittest weakref
    """.split()
)
"""Those of them whose functions may return what they were passed, or something looked up by name."""

MAKE_THEIR_OWN: Final = (STANDARD_MODULES - GIVE_BACK) | {"input", "open"}

BUILTIN_MEMBERS: Final = frozenset(
    """
    add add_note append args as_integer_ratio bit_count bit_length buffer c_contiguous capitalize casefold cast
    center characters_written clear close closed conjugate contiguous copy count decode denominator detach
    difference difference_update discard encode encoding end endswith errno errors expandtabs extend
    f_contiguous filename filename2 fileno find flush format format_map from_bytes fromhex fromkeys get
    getbuffer getvalue gi_frame hex imag index insert intersection intersection_update is_integer isalnum
    isalpha isascii isatty isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable isspace
    issubset issuperset istitle isupper items itemsize join keys line_buffering ljust lower lstrip maketrans
    name nbytes ndim newlines numerator obj object partition pop popitem read read1 readable readinto readinto1
    readline readlines readonly real reason reconfigure release remove removeprefix removesuffix replace reverse
    rfind rindex rjust rpartition rsplit rstrip seek seekable send setdefault shape sort split splitlines start
    startswith step stop strerror strides strip suboffsets swapcase symmetric_difference
    symmetric_difference_update tell throw title to_bytes tobytes tolist toreadonly translate truncate union
    update upper values with_traceback writable write write_through writelines zfill
    """.split()
)
"""Public members of builtin types."""

OBJECT_MEMBERS: Final = frozenset(
    """
    __abstractmethods__ __annotations__ __base__ __bases__ __class__ __closure__ __code__ __defaults__ __delattr__
    __dict__ __dir__ __doc__ __eq__ __file__ __format__ __func__ __ge__ __get__ __getattribute__ __getstate__
    __globals__ __gt__ __hash__ __init__ __init_subclass__ __instancecheck__ __kwdefaults__ __le__ __loader__ __lt__
    __module__ __mro__ __name__ __ne__ __new__ __package__ __path__ __qualname__ __reduce__ __reduce_ex__ __repr__
    __self__ __setattr__ __sizeof__ __spec__ __str__ __subclasscheck__ __subclasses__ __subclasshook__ __weakref__
    __wrapped__ mro
    """.split()
)
"""Members of objects, classes, functions and modules, whatever their source says."""
